/* The entry point of a program without Microsoft's C runtime. SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

int main(int argc, char **argv);

void mainCRTStartup(void);
void mainCRTStartup(void)
{
    static char name[] = "known_answers";
    static char *argv[] = {name, NULL};
    exit(main(1, argv));
}
