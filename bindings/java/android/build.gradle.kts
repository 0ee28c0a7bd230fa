// The plugins' version, once. SPDX-License-Identifier: Apache-2.0
plugins {
    id("com.android.library") version "8.13.0" apply false
    id("com.android.application") version "8.13.0" apply false
}
