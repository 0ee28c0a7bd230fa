"""AArch64: decoding and the meaning of instructions. SPDX-License-Identifier: Apache-2.0"""
