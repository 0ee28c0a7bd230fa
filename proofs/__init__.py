"""Proofs about the library's object code. SPDX-License-Identifier: Apache-2.0"""
