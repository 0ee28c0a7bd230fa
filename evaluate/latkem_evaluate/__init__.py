"""Builds latkem, checks it, measures it and writes a report: the package behind `make evaluate`.

SPDX-License-Identifier: Apache-2.0
"""
