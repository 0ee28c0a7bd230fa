"""The trusted base: machine code executed on terms. SPDX-License-Identifier: Apache-2.0"""
