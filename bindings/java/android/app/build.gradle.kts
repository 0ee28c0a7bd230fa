// The study's app. SPDX-License-Identifier: Apache-2.0
plugins { id("com.android.application") }

android {
    namespace = "org.latkem.app"
    compileSdk = 36
    defaultConfig {
        applicationId = "org.latkem.app"
        minSdk = 21
        targetSdk = 36
        versionCode = 200
        versionName = "0.2.0"
        ndk { abiFilters += listOf("arm64-v8a", "x86_64", "armeabi-v7a") }
        externalNativeBuild {
            cmake {
                targets("latkem_study")
                arguments("-DLATKEM_BUILD_JNI=ON", "-DBUILD_SHARED_LIBS=OFF", "-DBUILD_TESTING=OFF",
                    "-DANDROID_STL=none", "-DANDROID_SUPPORT_FLEXIBLE_PAGE_SIZES=ON")
            }
        }
    }
    externalNativeBuild { cmake { path = file("../../../../CMakeLists.txt") } }
    buildTypes["release"].apply {
        isMinifyEnabled = true
        proguardFiles(getDefaultProguardFile("proguard-android-optimize.txt"), "proguard.txt")
    }
    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_11
        targetCompatibility = JavaVersion.VERSION_11
    }
    sourceSets["main"].java {
        srcDir("../../session-key/src/main/java")
        exclude("org/latkem/study/cli/**")
    }
}

dependencies { implementation(project(":library")) }
