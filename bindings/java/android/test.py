#!/usr/bin/env python3
"""Tests what build.py built: files as Android wants them, the libraries at work, and, deep, the app's screens.

Prints a line for each check and at the end "N passed, N failed, N skipped". Pictures of the screens are left in
bindings/java/android/build/pictures.

SPDX-License-Identifier: Apache-2.0
Usage: test.py [--deep] [--only NAME]
"""
