// Faults for the library and the system below the command: LATKEM_BREAK names those that are on, separated by commas.
// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <latkem/batch.h>
#include <latkem/derand.h>
#include <latkem/kex.h>
#include <latkem/prepared.h>

static bool broken(const char *fault)
{
    const char *chosen = std::getenv("LATKEM_BREAK");
    std::istringstream faults(chosen ? chosen : "");
    for (std::string one; std::getline(faults, one, ',');)
        if (one == fault) return true;
    return false;
}

// The last encapsulation, which "short comparison" falls for.
static std::vector<uint8_t> last_ct, last_ss;

// The last reply, as it was sent.
static std::vector<uint8_t> last_message2;

extern "C" {

decltype(latkem_keypair) __real_latkem_keypair, __wrap_latkem_keypair;
decltype(latkem_keypair_rng) __real_latkem_keypair_rng, __wrap_latkem_keypair_rng;
decltype(latkem_keypair_derand) __real_latkem_keypair_derand, __wrap_latkem_keypair_derand;
decltype(latkem_encaps) __real_latkem_encaps, __wrap_latkem_encaps;
decltype(latkem_decaps) __real_latkem_decaps, __wrap_latkem_decaps;
decltype(latkem_decaps_prepared) __real_latkem_decaps_prepared, __wrap_latkem_decaps_prepared;
decltype(latkem_decaps_batch) __real_latkem_decaps_batch, __wrap_latkem_decaps_batch;

int __wrap_latkem_keypair(const latkem_kem *kem, uint8_t *ek, uint8_t *dk)
{
    return broken("no randomness") ? LATKEM_ERR_RNG : __real_latkem_keypair(kem, ek, dk);
}

int __wrap_latkem_keypair_rng(const latkem_kem *kem, uint8_t *ek, uint8_t *dk, latkem_rng_fn *fill, void *context)
{
    int result = __real_latkem_keypair_rng(kem, ek, dk, fill, context);
    if (broken("wrong z")) dk[latkem_dk_bytes(kem) - 1] ^= 1;
    return broken("random failure ignored") && result == LATKEM_ERR_RNG ? LATKEM_OK : result;
}

int __wrap_latkem_keypair_derand(const latkem_kem *kem, uint8_t *ek, uint8_t *dk, const uint8_t *seed, size_t size)
{
    int result = __real_latkem_keypair_derand(kem, ek, dk, seed, size);
    if (broken("seed half used")) dk[latkem_dk_bytes(kem) - 1] ^= 1;
    return result;
}

int __wrap_latkem_encaps(const latkem_kem *kem, uint8_t *ct, uint8_t *ss, const uint8_t *ek, size_t ek_len)
{
    int result = __real_latkem_encaps(kem, ct, ss, ek, ek_len);
    if (broken("constant secret") && result == LATKEM_OK) std::memset(ss, 0x42, latkem_ss_bytes(kem));
    if (broken("outputs not zeroed") && result != LATKEM_OK) ct[latkem_ct_bytes(kem) - 1] = 1;
    last_ct.assign(ct, ct + latkem_ct_bytes(kem));
    last_ss.assign(ss, ss + latkem_ss_bytes(kem));
    return broken("bad ek accepted") && result == LATKEM_ERR_EK ? LATKEM_OK : result;
}

int __wrap_latkem_decaps(const latkem_kem *kem, uint8_t *ss, const uint8_t *ct, size_t ct_len, const uint8_t *dk,
                         size_t dk_len)
{
    int result = __real_latkem_decaps(kem, ss, ct, ct_len, dk, dk_len);
    if (broken("constant secret") && result == LATKEM_OK) std::memset(ss, 0x42, latkem_ss_bytes(kem));
    if (broken("wrong secret")) ss[0] ^= 1;
    if (broken("short comparison") && ct_len == last_ct.size() && std::memcmp(ct, last_ct.data(), ct_len - 1) == 0)
        std::memcpy(ss, last_ss.data(), last_ss.size());
    return broken("length ignored") && result == LATKEM_ERR_LENGTH ? LATKEM_OK : result;
}

int __wrap_latkem_decaps_prepared(const latkem_kem *kem, uint8_t *ss, const uint8_t *ct, size_t ct_len,
                                  const void *prepared)
{
    int result = __real_latkem_decaps_prepared(kem, ss, ct, ct_len, prepared);
    if (broken("wrong prepared secret")) ss[0] ^= 1;
    return result;
}

int __wrap_latkem_decaps_batch(const latkem_kem *kem, size_t n, uint8_t *sss, const uint8_t *cts, const uint8_t *dks)
{
    int result = __real_latkem_decaps_batch(kem, n, sss, cts, dks);
    if (broken("wrong last of batch")) sss[n * latkem_ss_bytes(kem) - 1] ^= 1;
    return result;
}

decltype(latkem_uake_start_rng) __real_latkem_uake_start_rng, __wrap_latkem_uake_start_rng;
decltype(latkem_uake_reply) __real_latkem_uake_reply, __wrap_latkem_uake_reply;
decltype(latkem_uake_finish) __real_latkem_uake_finish, __wrap_latkem_uake_finish;

int __wrap_latkem_uake_start_rng(const latkem_kem *kem, uint8_t *message1, uint8_t *state, const uint8_t *ek_b,
                                 size_t ek_b_len, latkem_rng_fn *fill, void *context)
{
    const int result = __real_latkem_uake_start_rng(kem, message1, state, ek_b, ek_b_len, fill, context);
    if (broken("wrong message 1")) message1[0] ^= 1;
    return result;
}

int __wrap_latkem_uake_reply(const latkem_kem *kem, uint8_t *message2, uint8_t *key, const uint8_t *message1,
                             size_t message1_len, const uint8_t *dk_b, size_t dk_b_len)
{
    const int result = __real_latkem_uake_reply(kem, message2, key, message1, message1_len, dk_b, dk_b_len);
    last_message2.assign(message2, message2 + latkem_uake_message2_bytes(kem));
    return result;
}

int __wrap_latkem_uake_finish(const latkem_kem *kem, uint8_t *key, const uint8_t *message2, size_t message2_len,
                              uint8_t *state, size_t state_len)
{
    const std::vector<uint8_t> kept(state, state + state_len);
    if (broken("message 2 ignored")) message2 = last_message2.data();
    const int result = __real_latkem_uake_finish(kem, key, message2, message2_len, state, state_len);
    if (broken("wrong exchange key")) key[0] ^= 1;
    if (broken("state kept")) std::memcpy(state, kept.data(), kept.size());
    return result;
}

decltype(fsync) __real_fsync, __wrap_fsync;
decltype(getentropy) __real_getentropy, __wrap_getentropy;
decltype(renameat2) __real_renameat2, __wrap_renameat2;
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);

// As a file system without files that have no name, such as FAT.
static int open_broken(const char *path, int flags, va_list arguments)
{
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    if ((flags & O_TMPFILE) == O_TMPFILE && broken("no unnamed files")) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return __real_open(path, flags, mode);
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const int fd = open_broken(path, flags, arguments);
    va_end(arguments);
    return fd;
}

// The name in glibc of the same call with _FILE_OFFSET_BITS=64, as the command is compiled.
int __wrap_open64(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const int fd = open_broken(path, flags | O_LARGEFILE, arguments);
    va_end(arguments);
    return fd;
}

int __wrap_getentropy(void *bytes, size_t size)
{
    errno = ENOSYS;
    return broken("no entropy") ? -1 : __real_getentropy(bytes, size);
}

int __wrap_fsync(int fd)
{
    if (broken("dk appears at fsync")) close(__real_open("dk", O_CREAT | O_WRONLY, 0600));
    if (broken("interrupt at fsync")) (void)std::raise(SIGINT);
    if (broken("kill at fsync")) (void)std::raise(SIGKILL);
    if (broken("disk fails at fsync")) {
        errno = EIO;
        return -1;
    }
    return __real_fsync(fd);
}

// As a file system that cannot say whether it would replace a file.
int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) noexcept
{
    if (broken("no careful renaming")) {
        errno = EINVAL;
        return -1;
    }
    return __real_renameat2(from_folder, from, to_folder, to, flags);
}
}
