/* Hybrids: ML-KEM beside an elliptic-curve Diffie-Hellman, safe as long as one of the two is. Of liblatkem-protocol,
 * which takes the curves from libcrypto: OpenSSL's, 3.0 or newer, or AWS-LC's.
 *
 * A hybrid is a latkem_kem: every function of latkem.h, derand.h, prepared.h and batch.h takes it. Sizes are in bytes:
 *
 *   set                   ek    dk    ct   ss  for
 *   X25519MLKEM768      1216  2432  1120   64  TLS 1.3 (RFC 10024)
 *   SecP256r1MLKEM768   1249  2432  1153   64  TLS 1.3 (RFC 10024)
 *   SecP384r1MLKEM1024  1665  3216  1665   80  TLS 1.3 (RFC 10024)
 *   X-Wing              1216    32  1120   32  everything else (draft-connolly-cfrg-xwing-kem)
 *   MLKEM768-P256       1249    32  1153   32  HPKE (draft-ietf-hpke-pq)
 *   MLKEM1024-P384      1665    32  1665   32  HPKE (draft-ietf-hpke-pq)
 *
 * The ss of the first three is two secrets side by side, which the key schedule of TLS hashes with the transcript.
 * Outside TLS use the others, because their ss is a hash. Their dk is the seed from which both keys grow; a prepared dk
 * (prepared.h) spares every decapsulation that key generation.
 *
 * Errors beside those of latkem.h: LATKEM_ERR_CT of a decapsulation if the ciphertext has no valid point, because FIPS
 * 203's implicit rejection is of the ML-KEM part alone; LATKEM_ERR_CRYPTO if libcrypto fails. X25519 shares of small
 * order are refused like points that are none, and so are the compressed and hybrid forms of points. libcrypto's error
 * queue is left as it was. libcrypto uses heap memory of its own. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_HYBRID_H
#define LATKEM_HYBRID_H

#include <latkem/latkem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* latkem_hybrid_find returns the hybrid of that exact name, or NULL if there is none. */
LATKEM_PROTOCOL_API const latkem_kem *latkem_hybrid_find(const char *name);

/* latkem_hybrid_at returns the hybrid at an index from 0, in the order of the table above, or NULL past the end. Both
 * return NULL if liblatkem is of another version than this library (latkem_version). */
LATKEM_PROTOCOL_API const latkem_kem *latkem_hybrid_at(size_t index);

/* latkem_tls_group returns the TLS group's number of a hybrid or of ML-KEM (0x11EB to 0x11ED, 0x0200 to 0x0202); 0 for
 * NULL and for sets that have none. */
LATKEM_PROTOCOL_API unsigned latkem_tls_group(const latkem_kem *kem);

/* latkem_hpke_kem_id returns HPKE's number of a hybrid or of ML-KEM (0x647A, 0x0050, 0x0051, 0x0040 to 0x0042); 0 for
 * NULL and for sets that have none. */
LATKEM_PROTOCOL_API unsigned latkem_hpke_kem_id(const latkem_kem *kem);

struct ossl_lib_ctx_st; /* OSSL_LIB_CTX of OpenSSL */

/* latkem_hybrid_bytes returns the size of an opened hybrid's storage. */
LATKEM_PROTOCOL_API size_t latkem_hybrid_bytes(void);

/* latkem_hybrid_open makes *kem: the given hybrid, which takes everything of libcrypto from a library context. That is
 * keys, curves, hashes, and the random numbers that blind points. The hybrids of latkem_hybrid_at use the default
 * context; NULL names it here too. An opened hybrid has the same results, and every function that takes the given
 * hybrid takes it. It is faster on P-256 and P-384, because it keeps the curve. HPKE takes its own hashes and ciphers
 * from the default context with every KEM. AWS-LC has no library contexts: NULL alone is accepted there.
 *
 * The hybrid lives in the caller's storage: latkem_hybrid_bytes() bytes, aligned like max_align_t, neither moved nor
 * copied. Any number of threads may use it at a time. The context must outlive it. Nothing is fetched from the context
 * here, so it needs no provider before the first operation.
 *
 * hybrid is a row of latkem_hybrid_at; an opened one is refused. Errors: LATKEM_ERR_ARGUMENT, LATKEM_ERR_CRYPTO; *kem is
 * NULL then, and the storage is zeroed. */
LATKEM_PROTOCOL_API int latkem_hybrid_open(const latkem_kem **kem, void *storage, const latkem_kem *hybrid,
                                           struct ossl_lib_ctx_st *context);

/* latkem_hybrid_close frees everything that an opened hybrid keeps, and zeroes its storage. No call on the hybrid may be
 * running, and none may follow. Keys that were prepared with it end with it. Zeroed storage may be given, as after an
 * error of latkem_hybrid_open or a first close; NULL may not. */
LATKEM_PROTOCOL_API void latkem_hybrid_close(void *storage);

#ifdef __cplusplus
}
#endif
#endif
