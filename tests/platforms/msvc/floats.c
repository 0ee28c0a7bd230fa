/* The C runtime's word that it has floating-point numbers, which compilers ask for. SPDX-License-Identifier: Apache-2.0 */
extern const int _fltused;
const int _fltused = 1;
