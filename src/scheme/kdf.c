/* The key of several secrets. SPDX-License-Identifier: Apache-2.0 */
#include "scheme/kdf.h"

enum { KEY_BYTES = 32 };

lk_kdf lk_kdf_take(lk_arena *arena, const lk_backend *b, const lk_row *row)
{
    lk_job *job = lk_take(arena, sizeof(lk_job));
    return (lk_kdf){job, lk_run_take(arena, &b->symmetric, row->kdf)};
}

void lk_kdf_run(const lk_kdf *kdf, const lk_row *row, uint8_t *key, const uint8_t *secrets, size_t bytes)
{
    lk_job_make(kdf->job, row->kdf, key, KEY_BYTES, secrets, bytes);
    lk_run_begin(&kdf->run);
    lk_run_add(&kdf->run, kdf->job, 1);
    (void)lk_run_stage(&kdf->run);
}
