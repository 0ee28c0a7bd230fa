"""The names of kernels, functions, schemes, operations and tiers in the report, and the colours of the charts.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass

from latkem_evaluate.facts import families, kernel_group


@dataclass(frozen=True)
class Tint:
    """A thing with a name and a colour. `dark` replaces `colour` on a dark page."""

    key: str
    title: str
    colour: str
    dark: str


@dataclass(frozen=True)
class Group(Tint):
    """Kernels that a reader sees as one thing: those that the list of kernels puts under its key."""


# The colours are Paul Tol's "muted" scheme, which stays distinct under the common colour vision deficiencies.
GROUPS = (
    Group("keccak", "Keccak", "#332288", "#5a49c4"),
    Group("aes", "AES", "#882255", "#a8386f"),
    Group("sha2", "SHA-2", "#AA4499", "#b552a4"),
    Group("sampling", "Sampling", "#CC6677", "#d07281"),
    Group("ntt", "NTT", "#117733", "#2b8a4c"),
    Group("invntt", "Inverse NTT", "#44AA99", "#4cb4a3"),
    Group("basemul", "Products", "#88CCEE", "#88CCEE"),
    Group("inversion", "Inversion", "#C4561F", "#d9713c"),
    Group("reduce", "Reduction, addition", "#DDCC77", "#DDCC77"),
    Group("compress", "Compression, encoding", "#999933", "#a3a33d"),
    Group("other", "Other kernels", "#777777", "#888888"),
)
OUTSIDE = Group("outside", "Outside kernels", "#DDDDDD", "#b8bec4")


@dataclass(frozen=True)
class Scheme(Tint):
    """Parameter sets of one design: those of the family of its title."""


# Paul Tol's "bright" scheme, and a brown.
SCHEMES = (
    Scheme("ml-kem", "ML-KEM", "#4477AA", "#6f9fd0"),
    Scheme("kyber", "Kyber", "#66CCEE", "#66CCEE"),
    Scheme("kyber-90s", "Kyber-90s", "#AA3377", "#c8589a"),
    Scheme("saber", "Saber", "#228833", "#3fae55"),
    Scheme("ntru", "NTRU", "#EE6677", "#EE6677"),
    Scheme("tls-hybrid", "TLS hybrid", "#CCBB44", "#CCBB44"),
    Scheme("hybrid", "Hybrid", "#997700", "#b89020"),
    Scheme("other-scheme", "Other", "#8A8A8A", "#9c9c9c"),
)

# Functions of the Saber document by their names in the study's results: hashing to sample in blues, products in greens,
# other hashing in purples.
FUNCTIONS = {
    "GenMatrix": Tint("gen-matrix", "GenMatrix", "#2C4A8A", "#3d63b5"),
    "GenSecret": Tint("gen-secret", "GenSecret", "#7C9FD3", "#7C9FD3"),
    "MatrixVectorMul": Tint("matrix-vector-mul", "MatrixVectorMul", "#1F7A4D", "#23895a"),
    "InnerProd": Tint("inner-prod", "InnerProd", "#86C9A3", "#86C9A3"),
    "packing": Tint("packing", "Packing", "#D9B84A", "#D9B84A"),
    "SHA3-256": Tint("sha3-256", "SHA3-256", "#7D4493", "#8f52a6"),
    "SHA3-512": Tint("sha3-512", "SHA3-512", "#C9A3D6", "#C9A3D6"),
    "randomness": Tint("randomness", "Randomness", "#DD7A45", "#DD7A45"),
    "other": Tint("rest", "Other", "#C6CCD1", "#aab2b9"),
}

OPERATIONS = {
    "keygen": "Key generation",
    "prepare_ek": "Prepare ek",
    "prepare_dk": "Prepare dk",
    "encaps": "Encapsulation",
    "decaps": "Decapsulation",
}

TIERS = {
    "wire": (
        "Wire",
        "Bytes in, bytes out: every call decodes and checks its keys, draws its own randomness and wipes after itself.",
    ),
    "derand": ("Randomness given", "As wire, but the caller brings the randomness: no generator is in the time."),
    "prepared": (
        "Prepared",
        "A key is checked and expanded once (the first columns) and then used many times (the last ones).",
    ),
    "batch": ("Batch", "Many independent operations in one call; the numbers are for one of them."),
    "handshake": (
        "Handshake",
        "As in TLS: shares and secrets are bytes, a private key stays what its library makes of it until it is used.",
    ),
}


# Of the Java benchmarks.
JAVA_TIERS = {
    "jca": ("javax.crypto.KEM", "the calls of the Java Cryptography Architecture, with key objects that are kept."),
    "encoded": ("From DER", "the same calls; each operation makes its key from the X.509 or PKCS #8 encoding."),
    "bytes": ("Bytes", "the libraries' own interfaces, keys and all else as bytes."),
    "objects": ("Objects", "the libraries' own interfaces, with key objects that are kept."),
}

# Tiers of their own, of the sets that have them.
EXCHANGES = {"uake": "UAKE", "ake": "AKE"}

STEPS = {"keygen": "Key pair", "encrypt": "Encrypt the session key", "decrypt": "Decrypt it"}


def scheme_of(set_name: str) -> Scheme:
    """The scheme of the set's family; the last takes what no scheme has."""
    family = families().get(set_name)
    return next((scheme for scheme in SCHEMES if scheme.title == family), SCHEMES[-1])


def group_of(family: str, kernel: str) -> Group:
    """The group that the list of kernels puts it in; the last takes what it does not know."""
    key = kernel_group(f"{family}/{kernel}")
    return next((group for group in GROUPS if group.key == key), GROUPS[-1])
