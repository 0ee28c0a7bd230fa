"""Theorems: one line each, of a kernel, its contract, the domain that decides it and the standard's formula.

SPDX-License-Identifier: Apache-2.0
"""
