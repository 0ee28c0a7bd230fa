// For those who build with Android's SDK and NDK. Not tested by the project, which builds with build.py.
// SPDX-License-Identifier: Apache-2.0
pluginManagement {
    repositories {
        google()
        mavenCentral()
        gradlePluginPortal()
    }
}
dependencyResolutionManagement {
    repositories {
        google()
        mavenCentral()
    }
}
rootProject.name = "latkem-android"
include(":library", ":app")
