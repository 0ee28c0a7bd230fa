/* Operations on keys in Java arrays: bytes in, bytes out, nothing kept. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/derand.h>

#include "glue.h"

/* coins is NULL to ask the system's generator. */
static int encapsulate_with(JNIEnv *env, const latkem_kem *kem, uint8_t *ct, uint8_t *ss, const uint8_t *ek,
                            jbyteArray coins)
{
    uint8_t given[COINS_MAX];
    const size_t ek_len = latkem_ek_bytes(kem), coins_len = latkem_coins_bytes(kem);
    if (!coins) return latkem_encaps(kem, ct, ss, ek, ek_len);
    get(env, coins, given, coins_len);
    const int error = latkem_encaps_derand(kem, ct, ss, ek, ek_len, given, coins_len);
    wipe(given, coins_len);
    return error;
}

static jint encapsulate(JNIEnv *env, jclass class, jlong handle, jbyteArray ctAndSs, jbyteArray ek, jbyteArray coins)
{
    (void)class;
    const latkem_kem *kem = kem_of(handle);
    const size_t ct_len = latkem_ct_bytes(kem), ss_len = latkem_ss_bytes(kem);
    uint8_t ek_copy[EK_MAX], out[CT_MAX + SS_MAX];
    get(env, ek, ek_copy, latkem_ek_bytes(kem));
    const int error = encapsulate_with(env, kem, out, out + ct_len, ek_copy, coins);
    put(env, ctAndSs, out, ct_len + ss_len);
    wipe(out + ct_len, ss_len);
    return error;
}

static jint decapsulate(JNIEnv *env, jclass class, jlong handle, jbyteArray ss, jbyteArray ct, jbyteArray dk)
{
    (void)class;
    const latkem_kem *kem = kem_of(handle);
    const size_t dk_len = latkem_dk_bytes(kem), ct_len = latkem_ct_bytes(kem);
    uint8_t dk_copy[DK_MAX], ct_copy[CT_MAX], ss_copy[SS_MAX];
    get(env, dk, dk_copy, dk_len);
    get(env, ct, ct_copy, ct_len);
    const int error = latkem_decaps(kem, ss_copy, ct_copy, ct_len, dk_copy, dk_len);
    put(env, ss, ss_copy, latkem_ss_bytes(kem));
    wipe(dk_copy, dk_len);
    wipe(ss_copy, sizeof ss_copy);
    return error;
}

static const JNINativeMethod methods[] = {
    NATIVE(encapsulate, "(J[B[B[B)I"),
    NATIVE(decapsulate, "(J[B[B[B)I"),
};
const natives array_natives = NATIVES(methods);
