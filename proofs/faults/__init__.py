"""Planted faults: a theorem that has not failed on one is not yet believed. SPDX-License-Identifier: Apache-2.0"""
