/* The parameters of other providers' keys. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.jca;

import java.lang.reflect.Method;
import java.security.Key;
import java.security.spec.AlgorithmParameterSpec;

/** {@code java.security.AsymmetricKey}, which JDK 22 added: found by its name, so that older ones need not have it. */
final class AsymmetricKeys {
    private static final String TYPE = "java.security.AsymmetricKey";
    private static final Method GET_PARAMS = getParamsOrNull();

    private AsymmetricKeys() {}

    private static Method getParamsOrNull() {
        try {
            return Class.forName(TYPE).getMethod("getParams");
        } catch (ReflectiveOperationException olderJdk) {
            return null;
        }
    }

    /** Returns the parameters of a key that says them. */
    static AlgorithmParameterSpec paramsOrNull(Key keyOrNull) {
        if (GET_PARAMS == null || !GET_PARAMS.getDeclaringClass().isInstance(keyOrNull)) {
            return null;
        }
        try {
            return (AlgorithmParameterSpec) GET_PARAMS.invoke(keyOrNull);
        } catch (ReflectiveOperationException refused) {
            return null;
        }
    }
}
