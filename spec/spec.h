/* The text of spec/sets.json, for programs that read no file. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_SPEC_H
#define LATKEM_SPEC_H

#ifdef __cplusplus
extern "C" {
#endif

extern const char latkem_sets_json[];

#ifdef __cplusplus
}
#endif
#endif
