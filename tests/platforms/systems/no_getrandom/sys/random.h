/* SPDX-License-Identifier: Apache-2.0 */
#error "this system has no getrandom"
