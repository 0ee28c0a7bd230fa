// The report of a failure: one line on standard error, and a JSON document for a program that reads standard output.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_REPORT_H
#define LATKEM_CLI_REPORT_H

#include "failure.h"

enum class ErrorFormat {
    line,
    json // {"ok": false, "error": the line, "status": the exit status} too, unless a document was printed before
};

// report returns the failure's exit status.
int report(const Failure &failure, ErrorFormat format);

#endif
