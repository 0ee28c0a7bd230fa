// The `latkem` command: the one place where a failure becomes a line and an exit status.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>

#include "console.h"
#include "program.h"
#include "report.h"

int main(int argc, char **argv)
{
    open_standard_streams();
    const auto is_json = [](const char *argument) { return argument == std::string_view("--json"); };
    const ErrorFormat format = std::any_of(argv, argv + argc, is_json) ? ErrorFormat::json : ErrorFormat::line;
    try {
        run_program(argc, argv);
        flush_output();
        return STATUS_OK;
    } catch (const Failure &failure) {
        return report(failure, format);
    } catch (const std::exception &error) {
        return report(Failure(STATUS_FAILED, "internal error", error.what()), format);
    }
}
