/* The common part of keys. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.jca;

import java.security.spec.AlgorithmParameterSpec;

/** The method of java.security.AsymmetricKey, which JDK 22 added: declared here, the keys have it on each JDK. */
interface MlKemKey {
    /** Returns the key's parameters. */
    AlgorithmParameterSpec getParams();
}
