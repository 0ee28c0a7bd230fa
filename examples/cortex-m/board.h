/* The pieces of a board that the firmware needs. mps2_an386.c has those of the board that QEMU emulates; another board brings
 * its own file and linker script. SPDX-License-Identifier: Apache-2.0 */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

/* board_random fills out with len bytes that nobody can predict. It returns 0, or non-zero if the generator failed; out is
 * then not to be used. */
int board_random(uint8_t *out, size_t len);

void board_print(const char *text); /* to the UART; text ends with a zero byte */

/* board_exit ends the program; a board that is no emulator resets here. */
_Noreturn void board_exit(int status);

/* board_stack_paint fills the unused stack with a pattern, as the board does before main. board_stack_used returns the bytes
 * that were overwritten since, beside those in use then, and board_stack_bytes all that there are. */
void board_stack_paint(void);
size_t board_stack_used(void);
size_t board_stack_bytes(void);

#endif
