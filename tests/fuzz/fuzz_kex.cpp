// Key exchanges with messages of any bytes: no error, and the two sides have one key only if both messages arrived as they
// were sent. Wrong lengths are errors, and zero what the call writes.
// SPDX-License-Identifier: Apache-2.0
#include <latkem/kex.h>

#include "fuzz.h"

namespace
{

// Mode bits of this target beside those of a ciphertext.
enum : uint8_t { mode_ake = 0x10, mode_message2 = 0x20 };

// An exchange with the set's one key pair as all static keys.
class Sides
{
  public:
    Sides(const Objects &set, bool ake)
        : set_(set), ake_(ake), message1(latkem_kex_message1_bytes(set.kem), 0xaa),
          state(latkem_kex_state_bytes(set.kem), 0xaa),
          message2(ake ? latkem_ake_message2_bytes(set.kem) : latkem_uake_message2_bytes(set.kem), 0xaa),
          key_a(32, 0xaa), key_b(32, 0xaa)
    {
        const auto run = ake ? latkem_ake_start_rng : latkem_uake_start_rng;
        must(run(set.kem, message1.data(), state.data(), set.ek.data(), set.ek.size(), count, this) == 0, "start");
    }

    int reply(const Bytes &m1)
    {
        const Objects &s = set_;
        return ake_ ? latkem_ake_reply_rng(s.kem, message2.data(), key_b.data(), m1.data(), m1.size(), s.dk.data(),
                                           s.dk.size(), s.ek.data(), s.ek.size(), count, this)
                    : latkem_uake_reply_rng(s.kem, message2.data(), key_b.data(), m1.data(), m1.size(), s.dk.data(),
                                            s.dk.size(), count, this);
    }

    int finish(const Bytes &m2)
    {
        return ake_ ? latkem_ake_finish(set_.kem, key_a.data(), m2.data(), m2.size(), state.data(), state.size(),
                                        set_.dk.data(), set_.dk.size())
                    : latkem_uake_finish(set_.kem, key_a.data(), m2.data(), m2.size(), state.data(), state.size());
    }

  private:
    // Every request gets other bytes, the same in every run.
    static int count(void *self, uint8_t *out, size_t length)
    {
        uint8_t &next = static_cast<Sides *>(self)->next_;
        for (size_t i = 0; i < length; i++) out[i] = next++;
        return 0;
    }

    const Objects &set_;
    bool ake_;
    uint8_t next_ = 0;

  public:
    Bytes message1, state, message2, key_a, key_b;
};

void check(Sides &sides, const Bytes &sent, const Bytes &arrived)
{
    must((sides.key_a == sides.key_b) == (sent == arrived), "one key for both sides");
    must(!is_zero(sides.key_a) && !is_zero(sides.key_b), "a key of zeros");
    must(is_zero(sides.state), "the state was kept");
}

void alter_message1(Input &input, Sides &sides, uint8_t mode)
{
    Bytes arrived = choose_object(input, sides.message1, mode & mode_raw_ct, mode);
    patch(input, arrived, 64);
    const int result = sides.reply(arrived);
    if (arrived.size() != sides.message1.size()) {
        must(result == LATKEM_ERR_LENGTH && is_zero(sides.message2 + sides.key_b), "message 1 of a wrong length");
        return;
    }
    must(result == 0 && sides.finish(sides.message2) == 0, "an error");
    check(sides, sides.message1, arrived);
}

void alter_message2(Input &input, Sides &sides, uint8_t mode)
{
    must(sides.reply(sides.message1) == 0, "reply");
    Bytes arrived = choose_object(input, sides.message2, mode & mode_raw_ct, mode);
    patch(input, arrived, 64);
    const int result = sides.finish(arrived);
    if (arrived.size() != sides.message2.size()) {
        must(result == LATKEM_ERR_LENGTH && is_zero(sides.key_a + sides.state), "message 2 of a wrong length");
        return;
    }
    must(result == 0, "an error");
    check(sides, sides.message2, arrived);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Input input(data, size);
    const Objects &set = choose_set(input);
    const uint8_t mode = input.byte();
    if (latkem_kex_state_bytes(set.kem) == 0) return 0;
    Sides sides(set, mode & mode_ake);
    mode &mode_message2 ? alter_message2(input, sides, mode) : alter_message1(input, sides, mode);
    return 0;
}
