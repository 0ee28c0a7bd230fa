/* The library's one export: what Java calls is registered by name. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/derand.h>

#include "glue.h"

static const natives *const all[] = {&array_natives, &batch_natives,   &fact_natives,
                                     &key_natives,   &keyfile_natives, NULL};

/* Whether the glue's buffers have room for every set. */
static int buffers_fit(void)
{
    int fit = 1;
    const latkem_kem *kem;
    for (size_t i = 0; (kem = latkem_kem_at(i)) != NULL; i++)
        fit = fit && latkem_ek_bytes(kem) <= EK_MAX && latkem_dk_bytes(kem) <= DK_MAX &&
              latkem_ct_bytes(kem) <= CT_MAX && latkem_ss_bytes(kem) <= SS_MAX && latkem_seed_bytes(kem) <= SEED_MAX &&
              latkem_coins_bytes(kem) <= COINS_MAX;
    return fit;
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    JNIEnv *env;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) != JNI_OK || !buffers_fit()) return JNI_ERR;
    const jclass class = (*env)->FindClass(env, "org/latkem/Native");
    if (!class) return JNI_ERR;
    for (size_t i = 0; all[i]; i++)
        if ((*env)->RegisterNatives(env, class, all[i]->methods, all[i]->count) != 0) return JNI_ERR;
    return JNI_VERSION_1_6;
}
