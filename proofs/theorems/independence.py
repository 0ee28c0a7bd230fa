"""Secret-independence of whole operations: the calls of the API, on every backend.

The secrets are the seed of a key generation, the coins of an encapsulation, and of a decapsulation key the secret
vector and the value for rejection. The public inputs are examples: any bytes of the right form do.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count

from proofs.domains import NotProved
from proofs.domains.unknowns import DeclassifyingMemory, constant_bytes, unknown_bytes
from proofs.machine import terms as T
from proofs.machine.frames import Frames
from proofs.machine.image import CHOICE
from proofs.machine.terms import Node
from proofs.rung import Rung
from proofs.theorems.target import BUFFER_SPACE, FIRST_BUFFER, Kernel, Target, machine_on
from proofs.theorems.theorem import Theorem

SYM = 32  # bytes of seeds and hashes
Q = 3329


@dataclass(frozen=True)
class Scheme:
    """A parameter set: the families of kernels that it uses, an example of ek of so many bytes, and which bytes of dk
    are secret."""

    name: str
    families: tuple[str, ...]
    ek: Callable[[random.Random, int], bytes]
    secret_bytes: int  # of dk, before ek; 0 if all of dk is secret
    hash: str = "sha3_256"
    ct_unused_bits: int = 0
    public_seed: bool = True  # the end of ek, declassified in key generation


@dataclass(frozen=True)
class Call:
    """A function of the API with its outputs' sizes and its inputs."""

    function: str
    outputs: tuple[int, ...]
    inputs: tuple[list[Node], ...]


def mlkem_ek(rng: random.Random, size: int) -> bytes:
    """Canonical values of t, packed, and rho."""
    packed = size - SYM
    values = sum(rng.randrange(Q) << 12 * i for i in range(8 * packed // 12))
    return values.to_bytes(packed, "little") + rng.randbytes(SYM)


def random_bytes(unused_bits: int, rng: random.Random, size: int) -> bytes:
    data = rng.randbytes(size)
    return data[:-1] + bytes([data[-1] >> unused_bits])


def _mlkem(name: str, k: int, *symmetric: str, hash_name: str = "sha3_256") -> Scheme:
    return Scheme(name, (*symmetric, "q3329"), mlkem_ek, 384 * k, hash_name)


def _ntru(name: str, unused_bits: int) -> Scheme:
    ek = partial(random_bytes, unused_bits)
    families = ("keccak", "cyclic", "ternary")
    return Scheme(name, families, ek, 0, ct_unused_bits=unused_bits, public_seed=False)


RANKS = {2: ("512", "LightSaber"), 3: ("768", "Saber"), 4: ("1024", "FireSaber")}  # sizes and names of the sets
SCHEMES = [
    *(_mlkem(f"ML-KEM-{size}", k, "keccak") for k, (size, _) in RANKS.items()),
    *(_mlkem(f"Kyber{size}", k, "keccak") for k, (size, _) in RANKS.items()),
    *(_mlkem(f"Kyber{size}-90s", k, "sha2", "aes", hash_name="sha256") for k, (size, _) in RANKS.items()),
    *(Scheme(name, ("keccak", "negacyclic"), partial(random_bytes, 0), 416 * k) for k, (_, name) in RANKS.items()),
    *(_ntru(f"NTRU-{name}", 4) for name in ("HPS-2048-509", "HPS-2048-677", "HRSS-701")),
    _ntru("NTRU-HPS-4096-821", 0),
]


QUICK = [("ML-KEM-768", "decaps"), ("Kyber512", "keygen"), ("LightSaber", "keygen")]


@dataclass(frozen=True)
class Variant(Kernel):
    """A table of a backend at `address`."""

    variant: int = 0


def variants(target: Target, backend: str, theorem: Theorem) -> Iterator[Variant]:
    """The tables of a backend with different kernels for the set."""
    scheme = next(s for s in SCHEMES if s.name == theorem.family)
    seen: set[tuple[int, ...]] = set()
    for table, address in zip(target.backends[backend], target.table_addresses(backend), strict=True):
        kernels = tuple(table[family] for family in scheme.families)
        if kernels not in seen:
            yield Variant(backend, theorem.family, theorem.kernel, address, address, len(seen))
            seen.add(kernels)


def keygen(scheme: Scheme, target: Target) -> Call:
    ek, dk, seed = (_size(target, scheme, what) for what in ("ek", "dk", "seed"))
    return Call("latkem_keypair_derand", (ek, dk), (unknown_bytes(seed),))


def encaps(scheme: Scheme, target: Target) -> Call:
    ek, coins, ct, ss = (_size(target, scheme, what) for what in ("ek", "coins", "ct", "ss"))
    example = constant_bytes(scheme.ek(_random(scheme), ek))
    return Call("latkem_encaps_derand", (ct, ss), (example, unknown_bytes(coins)))


def encaps1(scheme: Scheme, target: Target) -> Call:
    outputs = tuple(_size(target, scheme, what) for what in ("encaps_state", "ct1", "ss"))
    header = constant_bytes(_random(scheme).randbytes(_size(target, scheme, "header")))
    return Call("latkem_encaps1_derand", outputs, (header, unknown_bytes(_size(target, scheme, "coins"))))


def decaps(scheme: Scheme, target: Target) -> Call:
    rng = _random(scheme)
    ek = scheme.ek(rng, _size(target, scheme, "ek"))
    ct = random_bytes(scheme.ct_unused_bits, rng, _size(target, scheme, "ct"))
    if scheme.secret_bytes:
        public = constant_bytes(ek + hashlib.new(scheme.hash, ek).digest())
        dk = unknown_bytes(scheme.secret_bytes) + public + unknown_bytes(SYM)
    else:
        dk = unknown_bytes(_size(target, scheme, "dk"))
    return Call("latkem_decaps", (_size(target, scheme, "ss"),), (constant_bytes(ct), dk))


def _random(scheme: Scheme) -> random.Random:
    return random.Random(scheme.name)


def _find(target: Target, scheme: Scheme) -> int:
    """The address of the parameter set, found by the library's own function."""
    memory = DeclassifyingMemory({})
    machine = machine_on(target, memory)
    name = constant_bytes(scheme.name.encode() + b"\0")
    memory.put(memory.region(FIRST_BUFFER, len(name), False, "the name"), name)
    return T.val(machine.call("latkem_kem_find", [FIRST_BUFFER]))


def _size(target: Target, scheme: Scheme, what: str) -> int:
    machine = machine_on(target, DeclassifyingMemory({}))
    return T.val(machine.call(f"latkem_{what}_bytes", [_find(target, scheme)]))


@dataclass(frozen=True)
class Prepared:
    """A call with its buffers in the memory of a machine, before its first instruction."""

    function: str
    memory: DeclassifyingMemory
    machine: Frames
    arguments: list[int]
    public: int  # bytes that it may declassify

    def run(self) -> str:
        """Executes it; returns what it declassifies."""
        result = self.machine.call(self.function, self.arguments)
        if not T.is_const(result) or T.val(result) & 0xFFFFFFFF:
            raise NotProved(f"{self.function} does not return 0")
        if len(self.memory.declassified) != self.public:
            raise NotProved(f"{self.function} declassifies {len(self.memory.declassified)} bytes")
        return f"declassified: the last {SYM} bytes of ek" if self.public else "nothing is declassified"


def prepare(
    scheme: Scheme,
    make: Callable[[Scheme, Target], Call],
    target: Target,
    kernel: Kernel,
    memory_with: Callable[[Mapping[int, bytes]], DeclassifyingMemory] = DeclassifyingMemory,
) -> Prepared:
    call, kem = make(scheme, target), _find(target, scheme)
    places = count(FIRST_BUFFER, BUFFER_SPACE)
    outputs = [next(places) for _ in call.outputs]
    public = {}
    if call.function == "latkem_keypair_derand" and scheme.public_seed:
        public[outputs[0] + call.outputs[0] - SYM] = _random(scheme).randbytes(SYM)
    memory = memory_with(public)
    machine = machine_on(target, memory, CHOICE)
    for at, size in zip(outputs, call.outputs, strict=True):
        memory.region(at, size, True, f"an output of {size} bytes")
    inputs = []
    for content in call.inputs:
        at = memory.region(next(places), len(content), False, f"an input of {len(content)} bytes")
        memory.put(at, content)
        inputs += [at, len(content)]
    machine.call("lk_backend_force", [kernel.address])
    return Prepared(call.function, memory, machine, [kem, *outputs, *inputs], SYM * len(public))


def prove(scheme: Scheme, make: Callable[[Scheme, Target], Call], target: Target, kernel: Kernel) -> str:
    call = prepare(scheme, make, target, kernel)
    with T.results_unknown():
        return call.run()


def theorems() -> Iterator[Theorem]:
    for scheme in SCHEMES:
        in_parts = (encaps1,) if scheme.name.startswith("ML-KEM") else ()
        for make in (keygen, encaps, decaps, *in_parts):
            quick = (scheme.name, make.__name__) in QUICK
            yield Theorem(
                scheme.name,
                make.__name__,
                "no branch and no address depends on a secret",
                "unknowns",
                partial(prove, scheme, make),
                Rung.QUICK if quick else Rung.ALL,
            )
