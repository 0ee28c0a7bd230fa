"""Key files of the command openssl with the module: made in each form, read back, and exchanged with Node and Python's
cryptography, which use OpenSSL's own ML-KEM. Node with the module takes part too.

The command is OpenSSL 3.0 in Debian 12, which knows nothing of ML-KEM, so that each key that it reads or writes is the
module's. The known answers and the damaged files are those of tests/vectors/hybrid.
SPDX-License-Identifier: Apache-2.0
"""

import base64
import hashlib
import json
import re
import subprocess
import tarfile
import textwrap
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import keyfiles
from ends import Disagreement, End, Refused, agree
from hosts import CERTIFICATE, HERE, KEY, OUT, ROOT, TIMEOUT, Program, configuration, node_program, openssl, pyopenssl
from keyfiles import BOTH, EXPANDED, SEED, Reader
from keyfiles import of_cryptography as cryptography

FORMS = {SEED: "seed", EXPANDED: "expanded", BOTH: "both"}
MLKEM, XWING = ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"], "X-Wing"
LABELS = {"private": "PRIVATE KEY", "public": "PUBLIC KEY"}
HEADER = {"ML-KEM-512": 22, "ML-KEM-768": 22, "ML-KEM-1024": 22, XWING: 24}  # of a public file, before ek
PASSPHRASE = "a passphrase"
Vector = dict[str, Any]


@cache
def vectors() -> list[Vector]:
    with tarfile.open(ROOT / "tests/vectors/hybrid.tar.xz") as archive:
        file = archive.extractfile("hybrid/keyfiles.json")
        assert file
        found: list[Vector] = json.load(file)["files"]
    return found


def command(*words: str | Path, given: bytes = b"", form: int = SEED) -> bytes:
    file = configuration(f"form_{FORMS[form]}", {"private-key-form": FORMS[form]})
    done = openssl(*words, file=file, given=given)
    if done.returncode:
        raise Refused(f"openssl {' '.join(map(str, words))}: {done.stderr.decode()}")
    return done.stdout


def refused(*words: str, given: bytes = b"") -> str:
    """The message. Nothing else may come out."""
    done = openssl(*words, file=configuration("form_seed"), given=given)
    agree((done.returncode, done.stdout), (1, b""), f"openssl {' '.join(words)}: status and output when it refuses")
    return done.stderr.decode()


def generate(name: str, form: int = SEED, *words: str) -> bytes:
    return command("genpkey", "-algorithm", name, "-outform", "DER", *words, form=form)


def public_of(private: bytes) -> bytes:
    """Of a file in DER or PEM."""
    return command("pkey", "-pubout", "-outform", "DER", given=private)


def again(private: bytes, form: int, *words: str) -> bytes:
    """A file in DER or PEM, written again."""
    return command("pkey", "-outform", "DER", *words, given=private, form=form)


def pem(der: bytes, kind: str) -> bytes:
    lines = "\n".join(textwrap.wrap(base64.b64encode(der).decode(), 64))
    return f"-----BEGIN {LABELS[kind]}-----\n{lines}\n-----END {LABELS[kind]}-----\n".encode()


# ---- With others ----


def theirs(reader: Reader, name: str) -> int:
    """Their key: the command reads both files and writes the same bytes again, of the form that they have."""
    public, private = reader.generate(name)
    form = BOTH if len(private) > 2000 or (name == "ML-KEM-512" and len(private) > 1700) else SEED
    agree(public_of(private), public, f"{name}: {reader.name}'s public key, of its private file")
    agree(again(private, form), private, f"{name}: {reader.name}'s private file again")
    spki = command("pkey", "-pubin", "-inform", "DER", "-pubout", "-outform", "DER", given=public)
    agree(spki, public, f"{name}: {reader.name}'s public file again")
    return 3


def ours(reader: Reader, name: str) -> int:
    """Our key in each form that they read: the same public key, and secrets that both compute."""
    seed, checks = generate(name), 0
    public = public_of(seed)
    for form in reader.forms:
        private = again(seed, form)
        agree(reader.public_of(private), public, f"{name}: what {reader.name} reads in form {FORMS[form]}")
        checks += 1
        if reader.encaps and reader.decaps:
            ct, sent = reader.encaps(public)
            agree(reader.decaps(ct, private), sent, f"{name}: {reader.name} with our files, {FORMS[form]}")
            checks += 1
    return checks


def exchange(reader: Reader) -> int:
    return sum(theirs(reader, name) + ours(reader, name) for name in reader.sets)


def across(writer: Reader, reader: Reader) -> int:
    """Secrets between two implementations, each with a key of the other."""
    checks = 0
    for one, other in ((writer, reader), (reader, writer)):
        for name in [name for name in one.sets if name in other.sets]:
            public, private = one.generate(name)
            assert other.encaps
            assert one.decaps
            ct, sent = other.encaps(public)
            agree(one.decaps(ct, private), sent, f"{name}: {other.name} to a key of {one.name}")
            checks += 1
    return checks


def with_node(test: Callable[[Reader], int], file: Path | None = None) -> int:
    """Node of the interoperation's tests, with a configuration that loads the module or without."""
    name, options = ("Node with the module", [f"--openssl-config={file}"]) if file else ("Node", [])
    end = End(name, [node_program(), *options, str(HERE.parent / "interop/node.mjs")])
    try:
        return test(keyfiles.of_node(end))
    finally:
        end.close()


def node_with_module(test: Callable[[Reader], int]) -> int:
    return with_node(test, configuration("preferred"))


# ---- Known answers and damaged files ----


def read_vector(vector: Vector, encoding: str) -> bytes:
    der = bytes.fromhex(vector["der"])
    given = der if encoding == "DER" else pem(der, vector["kind"])
    words = ["pkey", "-inform", encoding, *(["-pubin"] if vector["kind"] == "public" else []), "-pubout"]
    return command(*words, "-outform", "DER", given=given)


def known(encoding: str) -> int:
    """OpenSSL cuts off bytes behind a file, and makes DER of BER, before the module sees them. So these may pass."""
    for vector in vectors():
        what = f"{vector['set']}, {vector['what']}, {encoding}"
        may_pass = vector["ok"] or vector.get("may_accept") or re.search("bytes after the (PKCS|SPKI)", vector["what"])
        try:
            public = read_vector(vector, encoding)
        except Refused as error:
            agree(vector["ok"], False, f"{what}: {error}")
            agree(str(error).count("Could not read"), 1, f"{what}: {error}")
            continue
        if not may_pass:
            raise Disagreement(f"{what}: read, though it must be refused")
        if vector["ok"]:
            digest = hashlib.sha256(public[HEADER[vector["set"]] :]).hexdigest()
            agree(digest, vector["ek_sha256"], f"{what}: SHA-256 of the public key")
    return len(vectors())


def from_seeds() -> int:
    """`-pkeyopt hexseed:..` gives the files of the vectors, in each form."""
    checks = 0
    for vector in vectors():
        form = next((form for form, name in FORMS.items() if name == vector.get("form")), None)
        plain = not re.search("attributes|publicKey", vector["what"])
        if vector["kind"] == "private" and vector["ok"] and form and vector.get("seed") and plain:
            made = generate(vector["set"], form, "-pkeyopt", f"hexseed:{vector['seed']}")
            agree(made.hex(), vector["der"], f"{vector['set']}, {vector['what']}, from its seed")
            checks += 1
    return checks


def messages() -> int:
    """One clear message for a seed of the wrong length, and for a hybrid of TLS, which has no files."""
    said = refused("genpkey", "-algorithm", "ML-KEM-768", "-pkeyopt", "hexseed:0001")
    agree("the seed has 2 bytes, not 64" in said, True, said)
    said = refused("genpkey", "-algorithm", "X25519MLKEM768")
    agree("Error writing key" in said, True, said)
    whole = command("genpkey", "-algorithm", "ML-KEM-768")
    damaged = [b"", b"no key", whole[:-30], whole.replace(b"MFQC", b"MF!C")]
    for file in damaged:
        said = refused("pkey", given=file)
        agree(said.count("Could not read key"), 1, f"{file!r}: {said}")
    return 2 + len(damaged)


# ---- One key in all ways ----


def forms(name: str) -> int:
    """Each form is read, and gives each form again. An expanded key has no seed, so it stays one."""
    seed = generate(name)
    files = {form: again(seed, form) for form in (FORMS if name in MLKEM else [SEED])}
    for form, file in files.items():
        for wanted, expected in files.items():
            written = again(file, wanted)
            agree(written, files[EXPANDED] if form == EXPANDED else expected, f"{name}: {form} to {wanted}")
    return len(files) ** 2


def text(name: str) -> int:
    """The parts that `-text` prints are those of the files."""
    private = generate(name)
    public = public_of(private)[HEADER[name] :]
    expanded = again(private, EXPANDED) if name in MLKEM else b""
    seed = private[-64:] if name in MLKEM else private[-32:]
    printed = command("pkey", "-inform", "DER", "-noout", "-text", given=private).decode()
    expected = {"seed": seed, "ek": public} | ({"dk": expanded[28:]} if expanded else {})
    agree(parts_of(printed), expected, f"{name}: -text")
    agree(printed.splitlines()[0], f"{name} Private-Key:", f"{name}: the first line of -text")
    printed = command("pkey", "-inform", "DER", "-pubin", "-noout", "-text", given=public_of(private)).decode()
    agree(parts_of(printed), {"ek": public}, f"{name}: -pubin -text")
    return 3


def parts_of(printed: str) -> dict[str, bytes]:
    found = re.findall(r"^(\w+):\n((?: +[0-9a-f:]+\n)+)", printed, re.MULTILINE)
    return {name: bytes.fromhex(re.sub(r"[^0-9a-f]", "", lines)) for name, lines in found}


def checked(name: str) -> int:
    private = command("genpkey", "-algorithm", name)
    public = command("pkey", "-pubout", given=private)
    agree(command("pkey", "-check", "-noout", given=private), b"Key is valid\n", f"{name}: -check")
    agree(command("pkey", "-pubin", "-pubcheck", "-noout", given=public), b"Key is valid\n", f"{name}: -pubcheck")
    listed = command("asn1parse", given=private).decode()
    agree(bool(re.search(rf"OBJECT +:{name}$", listed, re.MULTILINE)), True, f"{name}: asn1parse: {listed}")
    return 3


def sealed(name: str) -> int:
    """With a passphrase, as PEM and DER. Another passphrase is refused."""
    private = generate(name)
    right, wrong = ("-passin", f"pass:{PASSPHRASE}"), ("-passin", "pass:another")
    written = ("-passout", f"pass:{PASSPHRASE}")
    ways = [
        ("pkey", "PEM", "-aes256"),
        ("pkcs8", "PEM", "-topk8", "-v2", "aes-128-cbc"),
        ("pkcs8", "DER", "-topk8", "-scrypt"),
    ]
    for program, encoding, *words in ways:
        what = f"{name}, {program} {' '.join(words)}"
        file = command(program, "-inform", "DER", *words, *written, "-outform", encoding, given=private)
        agree(b"ENCRYPTED" in file or private[-32:] not in file, True, f"{what}: nothing in the open")
        read = ("pkey", "-inform", encoding, "-outform", "DER")
        agree(command(*read, *right, given=file), private, f"{what}: read again")
        said = refused(*read, *wrong, given=file)
        agree(said.count("Could not read key"), 1, f"{what}: {said}")
    return 3 * len(ways)


def sealed_by_others(name: str) -> int:
    """Encrypted files of cryptography, both ways."""
    from cryptography.hazmat.primitives import serialization

    phrase = PASSPHRASE.encode()
    private = command("genpkey", "-algorithm", name, "-aes256", "-pass", f"pass:{PASSPHRASE}")
    key = serialization.load_pem_private_key(private, phrase)
    der, pkcs8 = serialization.Encoding.DER, serialization.PrivateFormat.PKCS8
    plain = key.private_bytes(der, pkcs8, serialization.NoEncryption())
    read = ("pkey", "-outform", "DER", "-passin", f"pass:{PASSPHRASE}")
    agree(command(*read, given=private), plain, f"{name}: our encrypted file, read by cryptography")
    theirs = key.private_bytes(der, pkcs8, serialization.BestAvailableEncryption(phrase))
    agree(command(*read, "-inform", "DER", given=theirs), plain, f"{name}: its encrypted file, read by us")
    agree(by_node(NODE_PRIVATE, private), public_of(plain), f"{name}: our encrypted file, read by Node")
    return 3


# ---- pyOpenSSL with the module ----


def in_pyopenssl(form: int) -> int:
    """Files of OpenSSL 4.0 with the module, with the configuration of a form, are those of the command."""
    host = pyopenssl(configuration(f"form_{FORMS[form]}", {"private-key-form": FORMS[form]}))
    assert host.end
    try:
        return sum(rewritten(host.end, name, form) for name in [*MLKEM, XWING])
    finally:
        host.end.close()


def rewritten(end: Program, name: str, form: int) -> int:
    """X-Wing is in no OpenSSL, and another implementation knows nothing of the form. So this is the module's work."""
    made, phrase = generate(name), PASSPHRASE.replace(" ", "_")
    for read in FORMS if name in MLKEM else [SEED]:
        file = again(made, read)
        written, public = map(bytes.fromhex, end.ask("rewrite", file.hex()))
        agree(written, again(file, form), f"{name}: {FORMS[read]} read, {FORMS[form]} written by pyOpenSSL")
        agree(public, public_of(made), f"{name}: {FORMS[read]} read, public file written by pyOpenSSL")
    (sealed_file,) = map(bytes.fromhex, end.ask("seal", made.hex(), "aes256", phrase))
    agree(again(sealed_file, form, "-passin", f"pass:{phrase}"), again(made, form), f"{name}: encrypted by pyOpenSSL")
    sealed_file = command("pkey", "-inform", "DER", "-aes256", "-passout", f"pass:{phrase}", given=made)
    (plain,) = end.ask("unseal", sealed_file.hex(), phrase)
    agree(bytes.fromhex(plain), again(made, form), f"{name}: encrypted file, read by pyOpenSSL")
    return 2 * len(FORMS) + 2 if name in MLKEM else 4


# ---- Certificates ----

NODE_PRIVATE = f"crypto.createPublicKey({{ key: file, passphrase: '{PASSPHRASE}' }})"
NODE_CERTIFICATE = "new crypto.X509Certificate(file).publicKey"


def by_node(expression: str, file: bytes) -> bytes:
    """The public file of a key that Node, without the module, reads from its input."""
    program = (
        f"const file = fs.readFileSync(0); fs.writeSync(1, {expression}.export({{ format: 'der', type: 'spki' }}))"
    )
    done = subprocess.run([node_program(), "-e", program], input=file, capture_output=True, timeout=TIMEOUT)
    if done.returncode:
        raise Refused(f"Node: {done.stderr.decode()}")
    return done.stdout


def certificate_of(public: bytes) -> bytes:
    """A certificate of an ML-KEM key, which cannot sign its own request."""
    (OUT / "subject.pem").write_bytes(public)
    request = command("req", "-new", "-key", KEY, "-subj", "/CN=subject")
    words: list[str | Path] = [
        "-req",
        "-CA",
        CERTIFICATE,
        "-CAkey",
        KEY,
        "-force_pubkey",
        OUT / "subject.pem",
        "-days",
        "30",
    ]
    return command("x509", *words, given=request)


def certificates() -> int:
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    for name in [*MLKEM, XWING]:
        private = command("genpkey", "-algorithm", name)
        public = command("pkey", "-pubout", given=private)
        certificate = certificate_of(public)
        (OUT / "subject_certificate.pem").write_bytes(certificate)
        agree(command("x509", "-noout", "-pubkey", given=certificate), public, f"{name}: the key of a certificate")
        printed = command("x509", "-noout", "-text", given=certificate).decode()
        agree(f"Public Key Algorithm: {name}" in printed and "ek:" in printed, True, f"{name}: -text of a certificate")
        command("verify", "-CAfile", CERTIFICATE, OUT / "subject_certificate.pem")
        if name in MLKEM:
            found = by_node(NODE_CERTIFICATE, certificate)
            agree(found, public_of(private), f"{name}: the key of a certificate, read by Node")
        if name in MLKEM[1:]:
            key = x509.load_pem_x509_certificate(certificate).public_key()
            found = key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
            agree(found, public, f"{name}: the key of a certificate, read by cryptography")
    return 3 * 4 + 3 + 2


def tests() -> list[tuple[str, Callable[[], int]]]:
    found: list[tuple[str, Callable[[], int]]] = [
        ("with Node", partial(with_node, exchange)),
        ("with Node with the module", partial(node_with_module, exchange)),
        ("with cryptography", lambda: exchange(cryptography())),
        ("Node with the module, with Node", lambda: with_node(lambda node: node_with_module(partial(across, node)))),
        (
            "Node with the module, with cryptography",
            lambda: node_with_module(lambda node: across(cryptography(), node)),
        ),
        ("known answers, DER", partial(known, "DER")),
        ("known answers, PEM", partial(known, "PEM")),
        ("from seeds", from_seeds),
        ("messages", messages),
        ("certificates", certificates),
    ]
    found += [(f"pyOpenSSL with the module, {FORMS[form]}", partial(in_pyopenssl, form)) for form in FORMS]
    for name in [*MLKEM, XWING]:
        for what, test in (("forms", forms), ("text", text), ("checks", checked), ("passphrases", sealed)):
            found.append((f"{what} of {name}", partial(test, name)))
    found += [(f"passphrases of {name} with cryptography", partial(sealed_by_others, name)) for name in MLKEM[1:]]
    return found
