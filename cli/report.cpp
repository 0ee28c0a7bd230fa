// The report of a failure.
// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <nlohmann/json.hpp>

#include "console.h"

// A document that standard output does not take is given up: the line on standard error has the failure that counts.
static void print_document(const Failure &failure)
{
    using nlohmann::ordered_json;
    const ordered_json document = {
        {"ok", false}, {"error", one_line(without_keys(failure.what()))}, {"status", failure.status()}};
    try {
        print(document.dump(2, ' ', false, ordered_json::error_handler_t::replace) +
              "\n"); // a file name need not be UTF-8
        flush_output();
    } catch (const Failure &) {
    }
}

int report(const Failure &failure, ErrorFormat format)
{
    if (format == ErrorFormat::json && !has_printed()) print_document(failure);
    complain(failure.what());
    return failure.status();
}
