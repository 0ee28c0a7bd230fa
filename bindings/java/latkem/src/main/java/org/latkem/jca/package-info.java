/* The provider. SPDX-License-Identifier: Apache-2.0 */
/**
 * ML-KEM for {@code java.security} and {@code javax.crypto}: {@link org.latkem.jca.LatkemProvider}, and the interfaces
 * of its keys.
 */
package org.latkem.jca;
