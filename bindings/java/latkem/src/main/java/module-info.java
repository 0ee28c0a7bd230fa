/* SPDX-License-Identifier: Apache-2.0 */
/** Lattice key encapsulation: ML-KEM (FIPS 203) and its kin. */
module org.latkem {
    exports org.latkem;
    exports org.latkem.jca;

    provides java.security.Provider with
            org.latkem.jca.LatkemProvider;
}
