// The groups of hybrids: scalars from candidates, shares that are refused, and both ends of an exchange.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <latkem/latkem.h>
#include <openssl/err.h>

#include "hybrid_parts.h"

namespace
{

const lkp_group *const groups[] = {&lkp_x25519, &lkp_p256, &lkp_p384};

Bytes order(const lkp_group &group)
{
    return Bytes(group.order, group.order + group.scalar);
}

class Curve
{
  public:
    explicit Curve(const lkp_group &group) : group_(group), curve_{&group, &library_, nullptr, nullptr, nullptr}
    {
    }
    ~Curve()
    {
        lkp_curve_close(&curve_);
    }
    Curve(const Curve &) = delete;
    Curve &operator=(const Curve &) = delete;

    Bytes share(const Bytes &scalar) const
    {
        Bytes share(group_.share);
        EXPECT_EQ(lkp_exchange(&curve_, share.data(), nullptr, scalar.data(), nullptr), 0);
        return share;
    }
    Bytes secret(const Bytes &scalar, const Bytes &peer) const
    {
        Bytes secret(group_.secret);
        EXPECT_EQ(lkp_exchange(&curve_, nullptr, secret.data(), scalar.data(), peer.data()), 0);
        return secret;
    }
    // By the check and by an exchange.
    int refuses(const Bytes &share) const
    {
        Bytes own(group_.share), secret(group_.secret);
        const Bytes seven = small(group_.scalar, 7);
        const int error = lkp_share_check(&curve_, share.data());
        EXPECT_EQ(lkp_exchange(&curve_, nullptr, secret.data(), seven.data(), share.data()), error);
        EXPECT_EQ(lkp_exchange(&curve_, own.data(), secret.data(), seven.data(), share.data()), error);
        return error;
    }

  private:
    const lkp_group &group_;
    const lkp_library library_ = {nullptr, nullptr};
    mutable lkp_curve curve_;
};

TEST(Group, ScalarIsTheFirstCandidateInRange)
{
    for (const lkp_group *g : {&lkp_p256, &lkp_p384}) {
        const Bytes n = order(*g), one = small(g->scalar, 1);
        const std::vector<Bytes> good = {one, plus(n, -1), small(g->scalar, 0x80), plus(n, -256)};
        const std::vector<Bytes> bad = bad_scalars(*g);
        const size_t candidates = g->random / g->scalar;
        for (const Bytes &scalar : good) {
            EXPECT_TRUE(lkp_scalar_valid(g, scalar.data())) << to_hex(scalar);
            for (size_t place = 0; place < candidates; place++)
                for (const Bytes &other : bad) {
                    Bytes random, out(g->scalar, 0xee);
                    for (size_t i = 0; i < candidates; i++)
                        random = random + (i == place ? scalar : i < place ? other : good[i % 2]);
                    EXPECT_EQ(lkp_scalar(g, out.data(), random.data()), 0);
                    EXPECT_EQ(to_hex(out), to_hex(scalar));
                }
        }
        for (const Bytes &scalar : bad) {
            Bytes random, out(g->scalar, 0xee);
            for (size_t i = 0; i < candidates; i++) random = random + scalar;
            EXPECT_FALSE(lkp_scalar_valid(g, scalar.data())) << to_hex(scalar);
            EXPECT_EQ(lkp_scalar(g, out.data(), random.data()), LATKEM_ERR_RNG) << to_hex(scalar);
        }
    }
}

TEST(Group, EveryStringIsAScalarOfX25519)
{
    for (uint8_t byte : {0x00, 0x01, 0xff}) {
        const Bytes random(32, byte);
        Bytes scalar(32, 0xee);
        EXPECT_TRUE(lkp_scalar_valid(&lkp_x25519, random.data()));
        EXPECT_EQ(lkp_scalar(&lkp_x25519, scalar.data(), random.data()), 0);
        EXPECT_EQ(scalar, random) << "not clamped";
    }
}

TEST(Group, BothEndsHaveOneSecret)
{
    for (const lkp_group *g : groups) {
        const Curve curve(*g);
        const Bytes a(g->scalar, 0x5a), b(g->scalar, 0x77), share_a = curve.share(a), share_b = curve.share(b);
        const Bytes secret = curve.secret(a, share_b);
        EXPECT_EQ(to_hex(secret), to_hex(curve.secret(b, share_a)));
        EXPECT_EQ(curve.refuses(share_a), 0);
    }
}

// Every u of small order, and neighbours, which are not.
TEST(Group, SmallOrderOfX25519)
{
    const Curve curve(lkp_x25519);
    for (const Bytes &u : small_order_of_x25519()) {
        EXPECT_EQ(curve.refuses(u), LKP_BAD_SHARE) << to_hex(u);
        for (size_t at : {size_t{0}, size_t{15}, size_t{31}}) {
            Bytes other = u;
            other[at] ^= 0x20;
            EXPECT_EQ(curve.refuses(other), 0) << to_hex(other);
        }
    }
    for (uint8_t first : {0xeb, 0xef, 0xff}) EXPECT_EQ(curve.refuses(Bytes{first} + Bytes(30, 0xff) + Bytes{0x7f}), 0);
    EXPECT_EQ(curve.refuses(Bytes{2} + Bytes(31)), 0);
}

// The share of the point with the smallest x from 1: half of all x have one.
Bytes share_of_small_x(const lkp_group &g)
{
    EC_GROUP *points = EC_GROUP_new_by_curve_name(g.nid);
    EC_POINT *point = EC_POINT_new(points);
    Bytes share(g.share), compressed = Bytes{2} + Bytes(g.secret);
    do compressed.back()++;
    while (EC_POINT_oct2point(points, point, compressed.data(), compressed.size(), nullptr) != 1);
    EC_POINT_point2oct(points, point, POINT_CONVERSION_UNCOMPRESSED, share.data(), share.size(), nullptr);
    EC_POINT_free(point);
    EC_GROUP_free(points);
    ERR_clear_error();
    return share;
}

// x is so small that x + p has no more bytes. libcrypto refuses it too.
TEST(Group, CoordinatesAreBelowThePrime)
{
    for (const lkp_group *g : {&lkp_p256, &lkp_p384}) {
        const Curve curve(*g);
        const Bytes p(g->prime, g->prime + g->secret), share = share_of_small_x(*g);
        EXPECT_EQ(curve.refuses(share), 0);
        const Bytes large = Bytes{4} + plus(p, share[g->secret]) + slice(share, 1 + g->secret, g->secret);
        EXPECT_EQ(curve.refuses(large), LKP_BAD_SHARE) << to_hex(large);
        EXPECT_EQ(curve.refuses(Bytes{4} + plus(p, 0) + slice(share, 1 + g->secret, g->secret)), LKP_BAD_SHARE);
    }
}

TEST(Group, PointsThatAreRefused)
{
    for (const lkp_group *g : {&lkp_p256, &lkp_p384}) {
        const Curve curve(*g);
        EXPECT_EQ(curve.refuses(share_of_small_y(*g)), 0);
        for (const BadShare &bad : bad_shares(*g)) EXPECT_EQ(curve.refuses(bad.share), LKP_BAD_SHARE) << bad.kind;
        const Bytes good = curve.share(small(g->scalar, 9));
        for (int first = 0; first < 256; first++) {
            Bytes share = good;
            share[0] = static_cast<uint8_t>(first);
            EXPECT_EQ(curve.refuses(share), first == 4 ? 0 : LKP_BAD_SHARE) << first;
        }
        for (size_t at = 1; at < good.size(); at++) {
            Bytes share = good;
            share[at] ^= 1;
            EXPECT_EQ(curve.refuses(share), LKP_BAD_SHARE) << at;
        }
    }
}

// The error queue has the same entries before and after a call.
TEST(Group, ErrorQueueIsLeftAsItWas)
{
    for (const lkp_group *g : groups)
        for (bool before : {false, true}) {
            ERR_clear_error();
            if (before) ERR_put_error(ERR_LIB_USER, 0, 77, __FILE__, __LINE__);
            {
                const Curve curve(*g);
                Bytes bad(g->share, 0);
                if (g->nid) {
                    bad = curve.share(small(g->scalar, 3));
                    bad.back() ^= 1;
                }
                EXPECT_EQ(curve.refuses(bad), LKP_BAD_SHARE);
            }
            if (before) {
                EXPECT_EQ(ERR_GET_REASON(ERR_get_error()), 77);
            }
            EXPECT_EQ(ERR_get_error(), 0u);
        }
}

} // namespace
