/* Makes a key of ML-KEM-768, encapsulates to it and decapsulates: no heap, a static workspace, 3 KB of stack.
 * SPDX-License-Identifier: Apache-2.0 */
#include "board.h"
#include <latkem/workspace.h>
#include <string.h>

static uint8_t workspace[16384]; /* more than enough; the program prints how much of it is needed */
static uint8_t ek[1184], dk[2400], ct[1088];

static void wipe(uint8_t *secret, size_t len)
{
    for (volatile uint8_t *byte = secret; len > 0; len--) *byte++ = 0;
}

/* The device: a key from 64 random bytes, which are what a device stores. */
static int make_key(const latkem_kem *kem)
{
    uint8_t seed[64];
    int error = board_random(seed, sizeof seed) ? LATKEM_ERR_RNG : 0;
    if (!error) error = latkem_keypair_derand_in(workspace, sizeof workspace, kem, ek, dk, seed, sizeof seed);
    wipe(seed, sizeof seed);
    return error;
}

/* The other side: a secret for the owner of ek. */
static int encapsulate(const latkem_kem *kem, uint8_t ss[32])
{
    uint8_t coins[32];
    int error = board_random(coins, sizeof coins) ? LATKEM_ERR_RNG : 0;
    if (!error)
        error = latkem_encaps_derand_in(workspace, sizeof workspace, kem, ct, ss, ek, sizeof ek, coins, sizeof coins);
    wipe(coins, sizeof coins);
    return error;
}

static int exchange(const latkem_kem *kem)
{
    uint8_t ours[32], theirs[32];
    int error = make_key(kem);
    if (!error) error = encapsulate(kem, theirs);
    if (!error) error = latkem_decaps_in(workspace, sizeof workspace, kem, ours, ct, sizeof ct, dk, sizeof dk);
    if (!error && memcmp(ours, theirs, sizeof ours) != 0) error = LATKEM_ERR_FAULT;
    wipe(ours, sizeof ours);
    wipe(theirs, sizeof theirs);
    return error;
}

static void print_number(const char *text, size_t number)
{
    char digits[12], *first = digits + sizeof digits - 1;
    *first = '\0';
    do *--first = (char)('0' + number % 10);
    while (number /= 10);
    board_print(text);
    board_print(first);
}

static void print_hex(const uint8_t *bytes, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    for (; len > 0; len--, bytes++) board_print((const char[]){digits[*bytes >> 4], digits[*bytes & 15], '\0'});
}

int main(void)
{
    const latkem_kem *kem = latkem_kem_find("ML-KEM-768");
    const int error = exchange(kem);
    board_print(error ? latkem_strerror(error) : "the secrets agree");
    board_print("\nkey: ");
    print_hex(ek, 16);
    print_number("\nbytes of workspace: ", latkem_workspace_bytes(kem));
    print_number("\nbytes of stack: ", board_stack_used());
    print_number(" of ", board_stack_bytes());
    board_print("\n");
    return error;
}
