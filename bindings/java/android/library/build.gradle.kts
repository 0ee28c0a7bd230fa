// latkem-android.aar. SPDX-License-Identifier: Apache-2.0
plugins { id("com.android.library") }

android {
    namespace = "org.latkem"
    compileSdk = 36
    defaultConfig {
        minSdk = 21
        consumerProguardFiles("proguard.txt")
        ndk { abiFilters += listOf("arm64-v8a", "x86_64", "armeabi-v7a") }
        externalNativeBuild {
            cmake {
                targets("latkem_jni")
                arguments("-DLATKEM_BUILD_JNI=ON", "-DBUILD_SHARED_LIBS=OFF", "-DBUILD_TESTING=OFF",
                    "-DANDROID_STL=none", "-DANDROID_SUPPORT_FLEXIBLE_PAGE_SIZES=ON")
            }
        }
    }
    externalNativeBuild { cmake { path = file("../../../../CMakeLists.txt") } }
    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_11
        targetCompatibility = JavaVersion.VERSION_11
    }
    sourceSets["main"].java {
        srcDir("../../latkem/src/main/java")
        exclude("module-info.java", "org/latkem/jca/**")
    }
}
