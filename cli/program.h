// The command line as a whole: its commands, its help, and what is said about one that cannot be parsed.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_PROGRAM_H
#define LATKEM_CLI_PROGRAM_H

// run_program does what the command line asks for; throws Failure.
void run_program(int argc, char **argv);

#endif
