"""The interpreters compared with processors. SPDX-License-Identifier: Apache-2.0"""
