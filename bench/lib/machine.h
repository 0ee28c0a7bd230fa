// Facts about the machine and the build that every result is published with, and pinning to a core.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_BENCH_MACHINE_H
#define LATKEM_BENCH_MACHINE_H

#include <string>
#include <utility>
#include <vector>

// Keys and values: compiler, compiler_flags, build_type, library_version, backends, cpu_model, virtual, governor,
// cycles.
std::vector<std::pair<std::string, std::string>> machine_context();

// pin_to_core keeps the process on one core; throws std::runtime_error if it cannot.
void pin_to_core(int core);

#endif
