"""Whole operations of the library: what they write is what the standard's algorithms give, for all inputs.

SPDX-License-Identifier: Apache-2.0
"""
