"""What kernels, operations and tiers are called in the report, and the colour of each group of kernels.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Group:
    """Kernels that a reader sees as one thing. `dark` stands for `colour` on a dark page."""

    key: str
    title: str
    colour: str
    dark: str
    prefixes: tuple[str, ...]  # of FAMILY/KERNEL


# The colours are Paul Tol's "muted" scheme, which stays distinct under the common colour vision deficiencies.
GROUPS = (
    Group("keccak", "Keccak", "#332288", "#5a49c4", ("keccak/",)),
    Group("aes", "AES", "#882255", "#a8386f", ("aes/",)),
    Group("sha2", "SHA-2", "#AA4499", "#b552a4", ("sha2/",)),
    Group("sampling", "Sampling", "#CC6677", "#d07281", ("q3329/cbd_", "q3329/rej_", "negacyclic/cbd_")),
    Group("ntt", "NTT", "#117733", "#2b8a4c", ("q3329/ntt",)),
    Group("invntt", "Inverse NTT", "#44AA99", "#4cb4a3", ("q3329/invntt",)),
    Group(
        "basemul",
        "Products",
        "#88CCEE",
        "#88CCEE",
        ("q3329/mulcache", "q3329/inner_product", "negacyclic/evaluate", "negacyclic/inner_product"),
    ),
    Group(
        "reduce",
        "Reduction, addition",
        "#DDCC77",
        "#DDCC77",
        tuple(f"q3329/{k}" for k in ("reduce", "tomont", "add", "sub")),
    ),
    Group(
        "compress",
        "Compression, encoding",
        "#999933",
        "#a3a33d",
        (
            *(f"q3329/{k}" for k in ("compress", "decompress", "encode", "decode")),
            *(f"negacyclic/{k}" for k in ("pack", "unpack", "round", "encrypt", "decrypt")),
        ),
    ),
    Group("other", "Other kernels", "#777777", "#888888", ("",)),
)
OUTSIDE = Group("outside", "Outside kernels", "#DDDDDD", "#b8bec4", ())

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
    "prepared": (
        "Prepared",
        "A key is checked and expanded once (the first columns) and then used many times (the last ones).",
    ),
    "batch": ("Batch", "Many independent operations in one call; the numbers are for one of them."),
}


def group_of(family: str, kernel: str) -> Group:
    """The first group that takes the kernel; the last takes all."""
    return next(group for group in GROUPS if f"{family}/{kernel}".startswith(group.prefixes))
