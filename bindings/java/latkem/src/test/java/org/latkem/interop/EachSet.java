// A test of each set of ML-KEM. SPDX-License-Identifier: Apache-2.0
package org.latkem.interop;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The test takes the name of a set. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest
@ValueSource(strings = {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"})
@interface EachSet {}
