/* Android has the library from the app: none is in classes.jar, and no digest. SPDX-License-Identifier: Apache-2.0 */
package org.latkem;

import java.util.Collections;
import java.util.Map;

/** In the jar of other systems another class is in its place, written when the libraries were built. */
final class NativeDigests {
    static final Map<String, String> SHA_256 = Collections.emptyMap();

    private NativeDigests() {}
}
