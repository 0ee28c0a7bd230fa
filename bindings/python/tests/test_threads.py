"""Threads and forks. SPDX-License-Identifier: Apache-2.0"""

import os
import threading
import time
from collections.abc import Callable

import latkem
from latkem import Kem, batch

THREADS = 8


def together(work: Callable[[], object]) -> None:
    """Runs the same work in threads that begin at once; an exception of one is the test's."""
    barrier, raised = threading.Barrier(THREADS), []

    def run() -> None:
        barrier.wait()
        try:
            work()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]


def test_first_use_of_a_shared_key(kem: Kem) -> None:
    for _ in range(20):
        key = kem.generate()
        public = key.public_key()
        secret, ciphertext = kem.encapsulate(public.public_bytes_raw())
        found: list[bytes] = []
        pairs: list[latkem.Encapsulation] = []

        def use_both() -> None:
            found.append(key.decapsulate(ciphertext))  # noqa: B023
            pairs.append(public.encapsulate())  # noqa: B023

        together(use_both)
        assert found == [secret] * THREADS
        assert all(key.decapsulate(made.ciphertext) == made.shared_secret for made in pairs)
        assert len(set(pairs)) == THREADS


def test_close_under_use() -> None:
    """Those who are inside finish rightly; later uses are refused."""
    kem, refusals = Kem("FireSaber"), []
    for _ in range(50):
        key = kem.generate()
        secret, ciphertext = key.public_key().encapsulate()
        started = threading.Event()

        def use() -> None:
            try:
                while True:
                    assert key.decapsulate(ciphertext) == secret  # noqa: B023
                    started.set()  # noqa: B023
            except ValueError as error:
                refusals.append(str(error))

        threads = [threading.Thread(target=use) for _ in range(4)]
        for thread in threads:
            thread.start()
        started.wait()
        key.close()
        for thread in threads:
            thread.join()
    assert refusals == ["FireSaber: the private key is closed"] * 200


class CloserBuffer(bytearray):
    """From Python 3.12 on, taking this buffer closes a key."""

    key: latkem.PrivateKey

    def __buffer__(self, flags: int, /) -> memoryview:
        self.key.close()
        return super().__buffer__(flags)


def test_close_while_arguments_are_read() -> None:
    kem = Kem("ML-KEM-768")
    key = kem.generate()
    secret, ciphertext = key.public_key().encapsulate()
    closer = CloserBuffer(ciphertext)
    closer.key = key
    assert key.decapsulate(closer) == secret


def progress_during(work: Callable[[], object]) -> int:
    """How often this thread could run while another one did the work, but for its beginning and end."""
    span: list[float] = []

    def run() -> None:
        span.append(time.perf_counter())
        work()
        span.append(time.perf_counter())

    thread = threading.Thread(target=run)
    thread.start()
    ran = []
    while thread.is_alive():
        ran.append(time.perf_counter())
        time.sleep(0.001)
    thread.join()
    margin = (span[1] - span[0]) / 10
    return sum(span[0] + margin < now < span[1] - margin for now in ran)


def test_batches_let_others_run() -> None:
    kem, count = Kem("NTRU-HRSS-701"), 4000
    eks, dks = bytearray(count * kem.public_key_bytes), bytearray(count * kem.private_key_bytes)
    cts, secrets = bytearray(count * kem.ciphertext_bytes), bytearray(count * kem.shared_secret_bytes)
    for work in (
        lambda: batch.generate(kem, eks, dks),
        lambda: batch.encapsulate(kem, eks, cts, secrets),
        lambda: batch.decapsulate(kem, dks, cts, secrets),
    ):
        assert progress_during(work) > 0


def in_child(work: Callable[[], bytes]) -> bytes:
    """Its answer in a forked process."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writer, work())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        answer = stream.read()
    assert os.waitpid(child, 0)[1] == 0
    return answer


def test_fork(kem: Kem) -> None:
    key = kem.generate()
    public = key.public_key()
    secret, ciphertext = public.encapsulate()
    assert key.decapsulate(ciphertext) == secret
    assert in_child(lambda: key.decapsulate(ciphertext)) == secret
    made = in_child(lambda: public.encapsulate().ciphertext)
    assert made not in (b"", public.encapsulate().ciphertext)
    assert in_child(lambda: kem.generate().public_key().public_bytes_raw()) != kem.generate().public_key()

    def close() -> bytes:
        key.close()
        return b"closed"

    assert in_child(close) == b"closed"
    assert key.decapsulate(ciphertext) == secret


def test_children_draw_apart() -> None:
    kem = Kem("ML-KEM-768")
    seeds = {in_child(lambda: kem.generate().private_bytes_raw()) for _ in range(3)}
    assert len(seeds | {kem.generate().private_bytes_raw()}) == 4
