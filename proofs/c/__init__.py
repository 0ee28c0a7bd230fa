"""Proofs of the portable C above the kernels. SPDX-License-Identifier: Apache-2.0"""
