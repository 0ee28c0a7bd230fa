/* Memory as large as an operation needs: a stack frame, or the caller's. SPDX-License-Identifier: Apache-2.0 */
#include "base/workspace.h"

#include <stdint.h>

#include "base/families.h"
#include "shared/trap.h"
#include "shared/wipe.h"

#if defined(__GNUC__)
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __declspec(noinline)
#endif

/* Memory in the frame of the function that asks for it. */
#if defined(_MSC_VER)
#include <malloc.h>
#define FRAME(bytes) _alloca(bytes)
#else
#define FRAME(bytes) __builtin_alloca(bytes)
#endif

/* Functions that an operation calls spill registers, secrets among them, below its frame. They use less than 1.5 KiB
 * there, or 3.5 KiB where there are wide vectors to spill (gcc and clang, -O2 and -O3, -fstack-usage). In the small build
 * they use less than 0.9 KiB on 32-bit machines (Cortex-M0 and -M4, gcc, -Os, -O2 and -O3, painted), and less than 0.56 KiB
 * on a Cortex-M3 or later with -Os. */
#if defined(LATKEM_SMALL) && defined(__OPTIMIZE_SIZE__) && defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 2
enum { STACK_BELOW = 576 };
#elif defined(LATKEM_SMALL) && UINTPTR_MAX == UINT32_MAX
enum { STACK_BELOW = 1024 };
#elif defined(__x86_64__) || defined(_M_X64)
enum { STACK_BELOW = 3840 };
#else
enum { STACK_BELOW = 1792 };
#endif

/* The small build knows of some operations that they use less. */
static NOINLINE void wipe_below(size_t below)
{
    unsigned char most[LK_IS_SMALL ? 1 : STACK_BELOW];
    const size_t bytes = !LK_IS_SMALL || !below ? STACK_BELOW : below;
    lk_wipe(LK_IS_SMALL ? FRAME(bytes) : most, bytes);
}

static unsigned char *first_aligned(unsigned char *memory)
{
    return memory + (((uintptr_t)0 - (uintptr_t)memory) & (LK_ALIGN - 1));
}

/* Not inlined, because the frame would stay on the stack of a caller that has returned from it. */
NOINLINE int lk_in_workspace(lk_arena *given, size_t below, void (*take)(void *ctx, lk_arena *arena),
                             int (*run)(void *ctx), void *ctx)
{
    lk_arena arena = {NULL, 0};
    take(ctx, &arena);
    const size_t counted = arena.used;
    if (counted > LK_WORKSPACE_MAX) lk_trap(); /* rather than run past a thread's stack */
    if (given && !given->base) {
        given->used = counted;
        return 0; /* no success, if a fault comes here */
    }
    arena = (lk_arena){first_aligned(given ? given->base : FRAME(counted + LK_ALIGN - 1)), 0};
    take(ctx, &arena);
    const int result = run(ctx);
    lk_wipe(arena.base, counted);
    wipe_below(below);
    return result;
}
