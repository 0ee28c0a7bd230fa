/* latkem: lattice key-encapsulation mechanisms.
 *
 * Every function that returns int returns 0 (LATKEM_OK) on success and a negative enum latkem_error on failure. On
 * failure every output buffer of the call is zeroed (batch.h has one exception). Byte buffers may have any alignment.
 * An output that shares a byte with an input or another output is refused with LATKEM_ERR_ARGUMENT, and is zeroed like
 * any output of a call that fails. If a fault in the hardware keeps an operation from running as written, it ends with
 * LATKEM_ERR_FAULT (SECURITY.md says which faults are seen). Lengths are in bytes. All functions may be called from any
 * thread at any time. The library has no heap, no init call and no mutable global state but the choice of backend
 * (backend.h).
 *
 * ek is the encapsulation (public) key, dk the decapsulation (private) key, ct the ciphertext, ss the shared secret.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_LATKEM_H
#define LATKEM_LATKEM_H

#include <stddef.h>
#include <stdint.h>

/* LATKEM_SHARED says to programs for Windows that the library is a DLL; the CMake target latkem::latkem defines it. A
 * build of the DLL by other means than CMake defines LATKEM_BUILDING too. Programs that read headers, as generators of
 * bindings do, may define LATKEM_API and LATKEM_PROTOCOL_API before, also as nothing. */
#if defined(LATKEM_API)
#elif defined(LATKEM_SHARED) && defined(_WIN32)
#if defined(LATKEM_BUILDING)
#define LATKEM_API __declspec(dllexport)
#else
#define LATKEM_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define LATKEM_API __attribute__((visibility("default")))
#else
#define LATKEM_API
#endif

/* Marks the functions of the second library, liblatkem-protocol (hybrid.h, keyfile.h, noise.h, hpke.h). */
#if defined(LATKEM_PROTOCOL_API)
#elif defined(__GNUC__)
#define LATKEM_PROTOCOL_API __attribute__((visibility("default")))
#else
#define LATKEM_PROTOCOL_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define LATKEM_VERSION "0.2.0"

/* Bytes of ML-KEM, for buffers of a constant size: the longest ek, dk and ct, which are those of ML-KEM-1024, and the
 * lengths that all of its sets share (FIPS 203 section 8, table 3, and section 6). */
#define LATKEM_MLKEM_EK_MAX 1568
#define LATKEM_MLKEM_DK_MAX 3168
#define LATKEM_MLKEM_CT_MAX 1568
#define LATKEM_MLKEM_SS_BYTES 32
#define LATKEM_MLKEM_SEED_BYTES 64  /* d || z */
#define LATKEM_MLKEM_COINS_BYTES 32 /* m */

enum latkem_error {
    LATKEM_OK = 0,
    LATKEM_ERR_ARGUMENT = -1, /* a NULL set, buffer or callback, buffers that overlap, or too large a batch */
    LATKEM_ERR_LENGTH = -2,   /* a key, ciphertext, seed or coins of the wrong length */
    LATKEM_ERR_EK = -3,       /* the encapsulation key is not valid (FIPS 203 section 7.2) */
    LATKEM_ERR_DK = -4,       /* the decapsulation key is not valid (FIPS 203 section 7.3) */
    LATKEM_ERR_RNG = -5,      /* the random generator failed */
    LATKEM_ERR_BACKEND = -6,  /* no such backend, or this CPU cannot run it */
    LATKEM_ERR_PREPARED = -7, /* the storage holds no prepared key of this set and kind */
    /* Of hybrid.h, keyfile.h, noise.h and hpke.h; the last also of incremental.h: */
    LATKEM_ERR_CT = -8,      /* a hybrid's ciphertext without a valid point */
    LATKEM_ERR_CRYPTO = -9,  /* libcrypto failed: no memory, or an algorithm that it does not have */
    LATKEM_ERR_AUTH = -10,   /* a tag does not verify */
    LATKEM_ERR_FORMAT = -11, /* not a key file of this kind */
    LATKEM_ERR_STATE = -12,  /* a call out of order, on a session that has ended, or with no state of this set */
    /* Of every function: */
    LATKEM_ERR_FAULT = -13 /* the operation did not run as written: a fault in the hardware, or damaged code */
};

/* latkem_strerror describes an error code in one line without a final period. Never NULL; static storage. */
LATKEM_API const char *latkem_strerror(int error);

/* latkem_version returns LATKEM_VERSION as the library was built. */
LATKEM_API const char *latkem_version(void);

/* latkem_kem is one parameter set: immutable, in static storage, valid for ever. An opened hybrid is in the caller's
 * storage (hybrid.h). */
typedef struct latkem_kem latkem_kem;

/* latkem_kem_find returns the set of that exact name ("ML-KEM-768"), or NULL if there is none. */
LATKEM_API const latkem_kem *latkem_kem_find(const char *name);

/* latkem_kem_at returns the set at an index from 0, in the order of `latkem list`, or NULL past the end. */
LATKEM_API const latkem_kem *latkem_kem_at(size_t index);

/* latkem_kem_name returns the set's name, or NULL for NULL. */
LATKEM_API const char *latkem_kem_name(const latkem_kem *kem);

/* latkem_kem_family returns the name of the set's family: "ML-KEM", "Kyber", "Kyber-90s", "Saber" or "NTRU", and of
 * hybrid.h "TLS hybrid" or "Hybrid"; NULL for NULL. A family is one design in several sizes. Others may join. */
LATKEM_API const char *latkem_kem_family(const latkem_kem *kem);

/* latkem_kem_level returns the NIST security category, 1, 3 or 5, or 0 for NULL. */
LATKEM_API int latkem_kem_level(const latkem_kem *kem);

/* latkem_kem_is_standard returns 1 for a set of a published standard (FIPS 203, RFC 10024). It returns 0 for a set of a
 * draft, which may still change, and for a research set. Research sets are complete and tested but are not meant for
 * new deployments. */
LATKEM_API int latkem_kem_is_standard(const latkem_kem *kem);

/* Sizes of the set's objects in bytes; 0 for NULL. */
LATKEM_API size_t latkem_ek_bytes(const latkem_kem *kem);
LATKEM_API size_t latkem_dk_bytes(const latkem_kem *kem);
LATKEM_API size_t latkem_ct_bytes(const latkem_kem *kem);
LATKEM_API size_t latkem_ss_bytes(const latkem_kem *kem);

/* latkem_stack_bytes returns the most stack that a call of this header, derand.h, prepared.h or incremental.h takes for
 * the set: at most 65536; 0 for NULL. It holds for every backend, where gcc or clang has compiled the library with optimisation.
 * The stack of the caller's generator comes on top. README.md has the table, with that of batches
 * (latkem_stack_bytes_batch). */
LATKEM_API size_t latkem_stack_bytes(const latkem_kem *kem);

/* latkem_keypair makes a key pair with the operating system's random generator. NTRU takes kilobytes, here and in
 * latkem_encaps: if the CPU has AES instructions, the system gives a key of 32 bytes for each call and AES-256-CTR
 * expands it. A caller's generator (latkem_keypair_rng) gives every byte.
 * Writes latkem_ek_bytes(kem) to ek and latkem_dk_bytes(kem) to dk; dk is secret.
 * Errors: LATKEM_ERR_RNG. */
LATKEM_API int latkem_keypair(const latkem_kem *kem, uint8_t *ek, uint8_t *dk);

/* latkem_encaps makes a fresh shared secret and its encapsulation under ek, which it checks.
 * Writes latkem_ct_bytes(kem) to ct and latkem_ss_bytes(kem) to ss; ss is secret.
 * Errors: LATKEM_ERR_LENGTH, LATKEM_ERR_EK, LATKEM_ERR_RNG. */
LATKEM_API int latkem_encaps(const latkem_kem *kem, uint8_t *ct, uint8_t *ss, const uint8_t *ek, size_t ek_len);

/* latkem_decaps recovers the shared secret of ct with dk, which it checks first. Writes latkem_ss_bytes(kem) to ss. A
 * ct of the right length that is not a valid encapsulation is no error. ss is then pseudo-random (implicit rejection),
 * and neither time nor return value distinguishes the two cases. Errors: LATKEM_ERR_LENGTH, LATKEM_ERR_DK. */
LATKEM_API int latkem_decaps(const latkem_kem *kem, uint8_t *ss, const uint8_t *ct, size_t ct_len, const uint8_t *dk,
                             size_t dk_len);

/* latkem_check_ek and latkem_check_dk check a key.
 * ML-KEM: length and modulus of ek (FIPS 203 section 7.2); length and hash of dk (section 7.3), as latkem_encaps and
 * latkem_decaps do. Kyber round 3 and Saber define no check but the length. NTRU: the length, and that key generation
 * could have written the encoding: unused bits are 0, and bytes of five coefficients modulo 3 are below 243. With NTRU,
 * latkem_encaps and latkem_decaps check the length alone and ignore those bits, as the official code does.
 * Errors: LATKEM_ERR_LENGTH, LATKEM_ERR_EK, LATKEM_ERR_DK. */
LATKEM_API int latkem_check_ek(const latkem_kem *kem, const uint8_t *ek, size_t ek_len);
LATKEM_API int latkem_check_dk(const latkem_kem *kem, const uint8_t *dk, size_t dk_len);

/* latkem_rng_fn fills out with len random bytes and returns 0, or returns non-zero for failure, which ends the call
 * with LATKEM_ERR_RNG. The requests are exactly those of the scheme's official code to its randombytes, in the same
 * order. For a key pair ML-KEM makes one request of 64 bytes d || z; Kyber asks for 32 for d, then 32 for z; NTRU asks
 * once for f and g, then 32 for z. */
typedef int latkem_rng_fn(void *ctx, uint8_t *out, size_t len);

/* latkem_system_rng is the operating system's generator, which latkem_keypair and all calls without a generator ask; ctx is
 * not used. A caller's generator may ask it and note the bytes that it hands out, to keep a seed as private key. */
LATKEM_API int latkem_system_rng(void *ctx, uint8_t *out, size_t len);

/* latkem_keypair_rng and latkem_encaps_rng are latkem_keypair and latkem_encaps with the caller's generator. */
LATKEM_API int latkem_keypair_rng(const latkem_kem *kem, uint8_t *ek, uint8_t *dk, latkem_rng_fn *fill, void *ctx);
LATKEM_API int latkem_encaps_rng(const latkem_kem *kem, uint8_t *ct, uint8_t *ss, const uint8_t *ek, size_t ek_len,
                                 latkem_rng_fn *fill, void *ctx);

#ifdef __cplusplus
}
#endif
#endif
