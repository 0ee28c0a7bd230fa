// Key files with faults in their structure and bytes, or of any bytes: what is accepted is the one encoding of the key that
// is given, with an error nothing is given (tests/protocol/keyfile_model.h says what an input means).
// SPDX-License-Identifier: Apache-2.0
#include "fuzz.h"
#include "tests/protocol/keyfile_model.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const Verdict verdict = try_mutation(Bytes(data, data + size));
    must(verdict.complaint.empty(), verdict.complaint.c_str());
    return 0;
}
