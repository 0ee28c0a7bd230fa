"""The options of the module in a configuration file, and the choice between two implementations.

A fault in the options gives one line on stderr, and no provider. OpenSSL goes on without it, so the program does too.
SPDX-License-Identifier: Apache-2.0
"""

import subprocess
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import hosts
import shares
import tls
import wire
from ends import agree
from hostile import MODULE_NAME, next_report
from hosts import ALL, MODULE, OUT, ROOT, TIMEOUT, Host, configuration, environment_of, node_program, openssl

SAMPLE = ROOT / "provider/openssl-latkem.cnf.in"
PREFIX = f"{MODULE_NAME}: "
FAULTS = [
    ({"privat-key-form": "seed"}, "there is no option privat-key-form"),
    ({"tls_groups": "MLKEM768"}, "there is no option tls_groups"),
    ({"private-key-form": "sed"}, "private-key-form = sed"),
    ({"private-key-form": "SEED"}, "private-key-form = SEED"),
    ({"tls-groups": "X25519MLKEM768:X448MLKEM1024"}, "there is no group X448MLKEM1024"),
    ({"tls-groups": "X-Wing"}, "there is no group X-Wing"),
    ({"tls-groups": "X25519"}, "there is no group X25519"),
]


# ---- Faults ----


def in_command(file: Path) -> tuple[bool, str]:
    done = openssl("list", "-providers", file=file)
    return MODULE_NAME in done.stdout.decode(), done.stderr.decode()


@cache
def xwing_key() -> Path:
    """A public key of X-Wing, which no OpenSSL reads without the module."""
    key, public = OUT / "xwing.pem", OUT / "xwing.pub"
    file = configuration("for_xwing")
    for words in (["genpkey", "-algorithm", "X-Wing", "-out", key], ["pkey", "-in", key, "-pubout", "-out", public]):
        agree(openssl(*map(str, words), file=file).returncode, 0, f"openssl {words[0]}")
    return public


def in_program(command: list[str], file: Path) -> tuple[bool, str]:
    """A program that fails to read that key if the module is not there."""
    command = [*command, str(xwing_key())]
    done = subprocess.run(command, env=environment_of(file), capture_output=True, text=True, timeout=TIMEOUT)
    return done.stdout == "read\n", done.stderr


def in_node(file: Path) -> tuple[bool, str]:
    program = "try { crypto.createPublicKey(fs.readFileSync(process.argv[1])); console.log('read') } catch {}"
    return in_program([node_program(), "-e", program], file)


def in_pyopenssl(file: Path) -> tuple[bool, str]:
    """Python's own libcrypto reads the file too, when it is loaded. So only that in cryptography is."""
    program = (
        "import contextlib, sys; sys.modules['_hashlib'] = None\nfrom OpenSSL import crypto\n"
        "with contextlib.suppress(crypto.Error):\n"
        "    crypto.load_publickey(crypto.FILETYPE_PEM, open(sys.argv[1], 'rb').read())\n    print('read')"
    )
    return in_program([*hosts.python(), "-c", program], file)


def faults(look: Callable[[Path], tuple[bool, str]]) -> int:
    """look: whether a program with a configuration file has the module, and its stderr."""
    agree(look(configuration("without_fault")), (True, ""), "a configuration without a fault")
    for options, expected in FAULTS:
        is_there, said = look(configuration("with_fault", options))
        lines = said.splitlines()
        agree((is_there, len(lines)), (False, 1), f"{options}: {said}")
        agree((lines[0].startswith(PREFIX), expected in lines[0]), (True, True), f"{options}: {said}")
    return 1 + len(FAULTS)


# ---- Groups ----


def knows(group: str, file: Path) -> bool:
    """Whether the command takes the group. It has nowhere to connect to."""
    said = openssl("s_client", "-connect", "127.0.0.1:1", "-groups", group, file=file).stderr.decode()
    return f"(-groups, {group}) failed" not in said


def offered_groups(host: Host) -> int:
    """`tls-groups` in the command before 3.5, which has none of its own."""
    tls.need_older(host)
    lists = ["MLKEM768", "SecP384r1MLKEM1024:X25519MLKEM768", "MLKEM512, MLKEM1024,", ":".join(ALL)]
    for groups in [*lists, ""]:
        file = configuration("some_groups", {"tls-groups": groups})
        found = {group for group in ALL if knows(group, file)}
        agree(found, set(groups.replace(",", " ").replace(":", " ").split()), f"tls-groups = {groups}")
    return len(ALL) * (len(lists) + 1)


def sample(host: Host) -> int:
    """The sample, with the module's place in it: server and client need no option to use X25519MLKEM768."""
    file = OUT / "sample.cnf"
    file.write_text(SAMPLE.read_text().replace("@LATKEM_MODULE@", str(MODULE)))
    agree(in_command(file), (True, ""), "the sample loads the module")
    end = hosts.command(file)
    with end.serve(end, []) as server:
        tls.passes(end, server, [], ALL[0], False)
    return 2


# ---- Two implementations ----


def private_key_bytes(file: Path) -> int:
    """Of a key that Node makes: the module writes the seed alone, OpenSSL the seed and the expanded key."""
    key = "crypto.generateKeyPairSync('ml-kem-768').privateKey.export({ format: 'der', type: 'pkcs8' })"
    command = [node_program(), f"--openssl-config={file}", "-p", f"{key}.length"]
    return int(subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=True).stdout)


def names_module(server: hosts.Server, share: bytes, group: shares.Group) -> bool:
    agree(wire.offer(server.port, wire.client_hello(group.id, share)), "illegal_parameter", group.name)
    return MODULE_NAME in next_report(server)


def choice() -> int:
    """OpenSSL 3.5 with both: the property query `?provider=latkem` chooses the module, and without it OpenSSL's own is
    used. Both serve all groups."""
    for preferred, length in ((True, 86), (False, 2498)):
        file = configuration("choice", preferred=preferred)
        agree(in_node(file), (True, ""), "Node has the module")
        agree(private_key_bytes(file), length, f"preferred: {preferred}; bytes of a private key")
        node = hosts.node(file)
        server = node.serve(node, ALL)
        for group in shares.GROUPS:
            (what, _, share), *_ = (bad for bad in shares.hostile(group, True) if "3329" in bad[0])
            agree(names_module(server, share, group), preferred, f"preferred: {preferred}; {group.name}, {what}")
            tls.passes(node, server, [group.name], group.name, False)
    return 2 * (2 + 2 * len(ALL))


def tests(host: Host) -> list[tuple[str, Callable[[], int]]]:
    return [
        ("faults in openssl", partial(faults, in_command)),
        ("faults in Node", partial(faults, in_node)),
        ("faults in pyOpenSSL", partial(faults, in_pyopenssl)),
        ("groups that are offered", partial(offered_groups, host)),
        ("the sample", partial(sample, host)),
        ("the choice between two implementations", choice),
    ]
