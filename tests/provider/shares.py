"""The key shares of the six TLS groups: a good one, and those that a peer must refuse.

No share needs cryptography. All coefficients of an ML-KEM public key of zeros are below 3329. Every ciphertext of the
right length decapsulates. The points are the base points of the curves.
SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from dataclasses import dataclass

Q = 3329
LENGTH, CONTENT = "length", "content"  # what is wrong with a share


@dataclass(frozen=True)
class Curve:
    """y^2 = x^3 - 3x + b over the integers below p, with a few of its points."""

    p: int
    b: int
    base: tuple[int, int]
    small_x: tuple[int, int]  # so small that x + p has as many bytes as p
    small_y: tuple[int, int]

    @property
    def size(self) -> int:
        return self.p.bit_length() // 8

    def is_on(self, x: int, y: int) -> bool:
        return (x**3 - 3 * x + self.b - y**2) % self.p == 0

    def encoded(self, x: int, y: int, head: int = 4) -> bytes:
        return bytes([head]) + x.to_bytes(self.size, "big") + y.to_bytes(self.size, "big")


P256 = Curve(
    2**256 - 2**224 + 2**192 + 2**96 - 1,
    0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    (
        0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
        0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    ),
    (5, 0x459243B9AA581806FE913BCE99817ADE11CA503C64D9A3C533415C083248FBCC),
    (0xD7325D7646CD60D80A92738CEB345F844CFFAF35841022CAB176F692DE8DE1D7, 5),
)
P384 = Curve(
    2**384 - 2**128 - 2**96 + 2**32 - 1,
    0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF,
    (
        0xAA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A385502F25DBF55296C3A545E3872760AB7,
        0x3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147CE9DA3113B5F0B8C00A60B1CE1D7E819D7A431D7C90EA0E5F,
    ),
    (2, 0x8CDEADBBD04911A3C1931E26DF3FA6439DCA9C7EB286FBD46FC319F0E2BB780232BAF57825FC0C1912ADA2FEFE84024C),
    (0x2261B2BF605C22F2F3AEF6338719B2C486388AD5240719A5257315969EF01BA27F0A104C89704773A81FDABEE6AB5C78, 1),
)
X25519 = 2**255 - 19  # its prime
OF_ORDER_8 = [
    0x00B8495F16056286FDB1329CEB8D09DA6AC49FF1FAE35616AEB8413B7C7AEBE0,
    0x57119FD0DD4E22D8868E1C58C45C44045BEF839C55B1D0B1248C50A3BC959C5F,
]


@dataclass(frozen=True)
class Group:
    name: str
    id: int
    rank: int  # of ML-KEM's module: 2, 3, 4
    curve: Curve | int | None = None

    @property
    def key_bytes(self) -> int:
        """Of ML-KEM's public key."""
        return 384 * self.rank + 32

    @property
    def ciphertext_bytes(self) -> int:
        return {2: 768, 3: 1088, 4: 1568}[self.rank]

    def joined(self, mlkem: bytes, point: bytes) -> bytes:
        return point + mlkem if isinstance(self.curve, Curve) else mlkem + point

    def point(self) -> bytes:
        if isinstance(self.curve, Curve):
            return self.curve.encoded(*self.curve.base)
        return b"" if self.curve is None else (9).to_bytes(32, "little")

    def mlkem(self, of_client: bool) -> bytes:
        return bytes(self.key_bytes if of_client else self.ciphertext_bytes)


GROUPS = [
    Group("X25519MLKEM768", 0x11EC, 3, X25519),
    Group("SecP256r1MLKEM768", 0x11EB, 3, P256),
    Group("SecP384r1MLKEM1024", 0x11ED, 4, P384),
    Group("MLKEM512", 0x0200, 2),
    Group("MLKEM768", 0x0201, 3),
    Group("MLKEM1024", 0x0202, 4),
]
BY_ID = {group.id: group for group in GROUPS}


def good(group: Group, of_client: bool) -> bytes:
    return group.joined(group.mlkem(of_client), group.point())


def hostile(group: Group, of_client: bool) -> Iterator[tuple[str, str, bytes]]:
    """Shares that must be refused: a description, LENGTH or CONTENT, the bytes."""
    whole = good(group, of_client)
    yield from ((what, LENGTH, share) for what, share in wrong_lengths(whole))
    if of_client:
        for what, key in keys_not_reduced(group):
            yield what, CONTENT, group.joined(key, group.point())
    for what, point in bad_points(group.curve):
        share = group.joined(group.mlkem(of_client), point)
        yield what, CONTENT if len(share) == len(whole) else LENGTH, share


def wrong_lengths(share: bytes) -> Iterator[tuple[str, bytes]]:
    yield "an empty share", b""
    yield "a share of one byte", share[:1]
    yield "half a share", share[: len(share) // 2]
    yield "a share that lacks a byte", share[:-1]
    yield "a share with a byte too many", share + b"\0"
    yield "a share twice", share + share


def keys_not_reduced(group: Group) -> Iterator[tuple[str, bytes]]:
    last = 256 * group.rank - 1
    for i, place in ((0, "first"), (last // 2, "middle"), (last, "last")):
        for value in (Q, 4095):
            yield f"{value} as the {place} coefficient", with_coefficient(bytes(group.key_bytes), i, value)


def with_coefficient(key: bytes, i: int, value: int) -> bytes:
    """Two coefficients of 12 bits lie in three bytes."""
    at, shift = 3 * (i // 2), 12 * (i % 2)
    pair = int.from_bytes(key[at : at + 3], "little") & ~(0xFFF << shift) | value << shift
    return key[:at] + pair.to_bytes(3, "little") + key[at + 3 :]


def bad_points(curve: Curve | int | None) -> Iterator[tuple[str, bytes]]:
    if isinstance(curve, Curve):
        yield from bad_points_of(curve)
    elif curve is not None:
        yield from points_of_small_order()


def points_of_small_order() -> Iterator[tuple[str, bytes]]:
    """With each of them X25519 gives zero. It ignores the top bit, and reduces p and p + 1."""
    named = [("0", 0), ("1", 1), ("p - 1", X25519 - 1), ("p", X25519), ("p + 1", X25519 + 1)]
    named += [(f"point {i} of order 8", u) for i, u in enumerate(OF_ORDER_8)]
    for name, u in named:
        yield f"X25519 of {name}", u.to_bytes(32, "little")
        yield f"X25519 of {name} with the top bit", (u | 1 << 255).to_bytes(32, "little")


def bad_points_of(curve: Curve) -> Iterator[tuple[str, bytes]]:
    x, y = curve.base
    assert all(curve.is_on(*point) for point in (curve.base, curve.small_x, curve.small_y))
    yield "a point off the curve", curve.encoded(x, y ^ 1)
    yield "a point with its coordinates exchanged", curve.encoded(y, x)
    yield "the point 0, 0", curve.encoded(0, 0)
    yield "x of p and more", curve.encoded(curve.small_x[0] + curve.p, curve.small_x[1])
    yield "y of p and more", curve.encoded(curve.small_y[0], curve.small_y[1] + curve.p)
    yield "coordinates of all ones", b"\4" + b"\xff" * (2 * curve.size)
    yield "infinity", bytes(1 + 2 * curve.size)
    yield "infinity in one byte", b"\0"
    for head in (0, 1, 2, 3, 5, 6, 7, 0xFF):
        yield f"a point that begins with {head:02x}", curve.encoded(x, y, head)
    for head in (2, 3):
        yield f"a compressed point, {head:02x}", curve.encoded(x, y, head)[: 1 + curve.size]
