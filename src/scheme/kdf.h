/* The key of several secrets: one hash job, in the memory of whoever asks for it. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SCHEME_KDF_H
#define LK_SCHEME_KDF_H

#include "base/workspace.h"
#include "scheme/scheme.h"
#include "symmetric/run.h"

typedef struct {
    lk_job *job;
    lk_run run;
} lk_kdf;

/* lk_kdf_take takes the memory for a hash with the KDF of row. */
lk_kdf lk_kdf_take(lk_arena *arena, const lk_backend *b, const lk_row *row);

/* lk_kdf_run writes the 32 bytes of KDF(secrets) to key. The row is that of lk_kdf_take. */
void lk_kdf_run(const lk_kdf *kdf, const lk_row *row, uint8_t *key, const uint8_t *secrets, size_t bytes);

#endif
