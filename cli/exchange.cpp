// One key exchange: see exchange.h.
// SPDX-License-Identifier: Apache-2.0
#include "exchange.h"

namespace
{

size_t message2_bytes(const latkem_kem *kem, Kex kind)
{
    return kind == Kex::uake ? latkem_uake_message2_bytes(kem) : latkem_ake_message2_bytes(kem);
}

} // namespace

const char *kex_name(Kex kind)
{
    return kind == Kex::uake ? "uake" : "ake";
}

bool has_exchanges(const latkem_kem *kem)
{
    return latkem_kex_state_bytes(kem) > 0;
}

Exchange::Exchange(const latkem_kem *set, Kex which)
    : kem(set), kind(which), message1(latkem_kex_message1_bytes(set)), message2(message2_bytes(set, which)),
      state(latkem_kex_state_bytes(set)), key_a(LATKEM_KEX_KEY_BYTES), key_b(LATKEM_KEX_KEY_BYTES)
{
}

int Exchange::start(const Buffer &ek_b, Randomness r)
{
    const bool is_uake = kind == Kex::uake;
    if (r.fill != nullptr) {
        const auto run = is_uake ? latkem_uake_start_rng : latkem_ake_start_rng;
        return run(kem, message1.data(), state.data(), ek_b.data(), ek_b.size(), r.fill, r.context);
    }
    const auto run = is_uake ? latkem_uake_start : latkem_ake_start;
    return run(kem, message1.data(), state.data(), ek_b.data(), ek_b.size());
}

int Exchange::reply(const Buffer &dk_b, const Buffer &ek_a, Randomness r)
{
    const Buffer &m = message1;
    uint8_t *out = message2.data(), *key = key_b.data();
    if (kind == Kex::uake)
        return r.fill != nullptr ? latkem_uake_reply_rng(kem, out, key, m.data(), m.size(), dk_b.data(), dk_b.size(),
                                                         r.fill, r.context)
                                 : latkem_uake_reply(kem, out, key, m.data(), m.size(), dk_b.data(), dk_b.size());
    return r.fill != nullptr ? latkem_ake_reply_rng(kem, out, key, m.data(), m.size(), dk_b.data(), dk_b.size(),
                                                    ek_a.data(), ek_a.size(), r.fill, r.context)
                             : latkem_ake_reply(kem, out, key, m.data(), m.size(), dk_b.data(), dk_b.size(),
                                                ek_a.data(), ek_a.size());
}

int Exchange::finish(const Buffer &dk_a)
{
    const Buffer &m = message2;
    if (kind == Kex::uake) return latkem_uake_finish(kem, key_a.data(), m.data(), m.size(), state.data(), state.size());
    return latkem_ake_finish(kem, key_a.data(), m.data(), m.size(), state.data(), state.size(), dk_a.data(),
                             dk_a.size());
}
