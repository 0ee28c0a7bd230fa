// The list of all kernels: family, name, member pointer and group of each, for programs that do something to every
// kernel. A group is what the report adds up; it reads the list here. A static_assert holds it to the tables of the
// contracts. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HARNESS_KERNELS_LIST_H
#define LATKEM_HARNESS_KERNELS_LIST_H

#include <tuple>
#include <type_traits>

#include "internals.h"

template <auto Member> struct Kernel {
    const char *name, *group;
    static constexpr auto member = Member;
};

template <class... Kernels> struct KernelList {
    // A kernel listed twice would be the same base class twice, which is an error.
    struct Distinct : Kernels... {
    };
    std::tuple<Kernels...> kernels;
    static constexpr size_t pointer_bytes = sizeof...(Kernels) * sizeof(void (*)());
    static_assert(std::is_aggregate_v<Distinct>);
};

template <class... Kernels> constexpr KernelList<Kernels...> kernel_list(Kernels... kernels)
{
    return {{kernels...}};
}

template <auto Member> constexpr Kernel<Member> kernel(const char *name, const char *group)
{
    return {name, group};
}

#define LATKEM_KERNEL(table, name, group) kernel<&table::name>(#name, group)

// A family is a table type, its name, its kernels and its place in a backend.
template <class Table> struct Family;

template <> struct Family<lk_q3329_kernels> {
    static constexpr const char *name = "q3329";
    static constexpr auto list = kernel_list(
        LATKEM_KERNEL(lk_q3329_kernels, ntt, "ntt"), LATKEM_KERNEL(lk_q3329_kernels, invntt_tomont, "invntt"),
        LATKEM_KERNEL(lk_q3329_kernels, mulcache, "basemul"), LATKEM_KERNEL(lk_q3329_kernels, inner_product, "basemul"),
        LATKEM_KERNEL(lk_q3329_kernels, tomont, "reduce"), LATKEM_KERNEL(lk_q3329_kernels, add, "reduce"),
        LATKEM_KERNEL(lk_q3329_kernels, sub_from, "reduce"), LATKEM_KERNEL(lk_q3329_kernels, reduce, "reduce"),
        LATKEM_KERNEL(lk_q3329_kernels, encode_d12, "compress"),
        LATKEM_KERNEL(lk_q3329_kernels, decode_d12, "compress"),
        LATKEM_KERNEL(lk_q3329_kernels, compress_d1, "compress"),
        LATKEM_KERNEL(lk_q3329_kernels, compress_d4, "compress"),
        LATKEM_KERNEL(lk_q3329_kernels, compress_d5, "compress"),
        LATKEM_KERNEL(lk_q3329_kernels, compress_d10, "compress"),
        LATKEM_KERNEL(lk_q3329_kernels, compress_d11, "compress"),
        LATKEM_KERNEL(lk_q3329_kernels, decompress_d1, "compress"),
        LATKEM_KERNEL(lk_q3329_kernels, decompress_d4, "compress"),
        LATKEM_KERNEL(lk_q3329_kernels, decompress_d5, "compress"),
        LATKEM_KERNEL(lk_q3329_kernels, decompress_d10, "compress"),
        LATKEM_KERNEL(lk_q3329_kernels, decompress_d11, "compress"),
        LATKEM_KERNEL(lk_q3329_kernels, cbd_eta2, "sampling"), LATKEM_KERNEL(lk_q3329_kernels, cbd_eta3, "sampling"),
        LATKEM_KERNEL(lk_q3329_kernels, rej_uniform_vartime, "sampling"),
        LATKEM_KERNEL(lk_q3329_kernels, rej_uniform_lanes_vartime, "sampling"),
        LATKEM_KERNEL(lk_q3329_kernels, ntt_order, "ntt"));
    static_assert(list.pointer_bytes == sizeof(lk_q3329_kernels), "a kernel of q3329 is not listed");
    static const lk_q3329_kernels *&in(lk_backend &backend)
    {
        return backend.q3329;
    }
};

template <> struct Family<lk_negacyclic_kernels> {
    static constexpr const char *name = "negacyclic";
    static constexpr auto list = kernel_list(LATKEM_KERNEL(lk_negacyclic_kernels, evaluate, "basemul"),
                                             LATKEM_KERNEL(lk_negacyclic_kernels, evaluate_small, "basemul"),
                                             LATKEM_KERNEL(lk_negacyclic_kernels, inner_product, "basemul"),
                                             LATKEM_KERNEL(lk_negacyclic_kernels, pack_d13, "compress"),
                                             LATKEM_KERNEL(lk_negacyclic_kernels, unpack_d13, "compress"),
                                             LATKEM_KERNEL(lk_negacyclic_kernels, unpack_d10, "compress"),
                                             LATKEM_KERNEL(lk_negacyclic_kernels, round_d10, "compress"),
                                             LATKEM_KERNEL(lk_negacyclic_kernels, encrypt_d3, "compress"),
                                             LATKEM_KERNEL(lk_negacyclic_kernels, encrypt_d4, "compress"),
                                             LATKEM_KERNEL(lk_negacyclic_kernels, encrypt_d6, "compress"),
                                             LATKEM_KERNEL(lk_negacyclic_kernels, decrypt_d3, "compress"),
                                             LATKEM_KERNEL(lk_negacyclic_kernels, decrypt_d4, "compress"),
                                             LATKEM_KERNEL(lk_negacyclic_kernels, decrypt_d6, "compress"),
                                             LATKEM_KERNEL(lk_negacyclic_kernels, cbd_mu6, "sampling"),
                                             LATKEM_KERNEL(lk_negacyclic_kernels, cbd_mu8, "sampling"),
                                             LATKEM_KERNEL(lk_negacyclic_kernels, cbd_mu10, "sampling"));
    static_assert(list.pointer_bytes + 2 * sizeof(size_t) == sizeof(lk_negacyclic_kernels),
                  "a kernel of negacyclic is not listed");
    static const lk_negacyclic_kernels *&in(lk_backend &backend)
    {
        return backend.negacyclic;
    }
};

template <> struct Family<lk_cyclic_kernels> {
    static constexpr const char *name = "cyclic";
    static constexpr auto list = kernel_list(
        LATKEM_KERNEL(lk_cyclic_kernels, evaluate, "basemul"), LATKEM_KERNEL(lk_cyclic_kernels, product, "basemul"),
        LATKEM_KERNEL(lk_cyclic_kernels, invert_mod2, "inversion"),
        LATKEM_KERNEL(lk_cyclic_kernels, lift_inverse, "inversion"),
        LATKEM_KERNEL(lk_cyclic_kernels, square_of_bits, "inversion"),
        LATKEM_KERNEL(lk_cyclic_kernels, from_trits, "compress"), LATKEM_KERNEL(lk_cyclic_kernels, mod3, "reduce"),
        LATKEM_KERNEL(lk_cyclic_kernels, to_trits, "compress"),
        LATKEM_KERNEL(lk_cyclic_kernels, times_x_minus_1, "reduce"),
        LATKEM_KERNEL(lk_cyclic_kernels, two_minus, "reduce"), LATKEM_KERNEL(lk_cyclic_kernels, add, "reduce"),
        LATKEM_KERNEL(lk_cyclic_kernels, sub, "reduce"), LATKEM_KERNEL(lk_cyclic_kernels, mod_phi, "reduce"),
        LATKEM_KERNEL(lk_cyclic_kernels, sum_zero, "reduce"), LATKEM_KERNEL(lk_cyclic_kernels, pack_d11, "compress"),
        LATKEM_KERNEL(lk_cyclic_kernels, pack_d12, "compress"), LATKEM_KERNEL(lk_cyclic_kernels, pack_d13, "compress"),
        LATKEM_KERNEL(lk_cyclic_kernels, unpack_d11, "compress"),
        LATKEM_KERNEL(lk_cyclic_kernels, unpack_d12, "compress"),
        LATKEM_KERNEL(lk_cyclic_kernels, unpack_d13, "compress"));
    static_assert(list.pointer_bytes + 2 * sizeof(size_t) == sizeof(lk_cyclic_kernels),
                  "a kernel of cyclic is not listed");
    static const lk_cyclic_kernels *&in(lk_backend &backend)
    {
        return backend.cyclic;
    }
};

template <> struct Family<lk_ternary_kernels> {
    static constexpr const char *name = "ternary";
    static constexpr auto list = kernel_list(LATKEM_KERNEL(lk_ternary_kernels, sample_iid, "sampling"),
                                             LATKEM_KERNEL(lk_ternary_kernels, make_nonnegative, "sampling"),
                                             LATKEM_KERNEL(lk_ternary_kernels, fixed_type_words, "sampling"),
                                             LATKEM_KERNEL(lk_ternary_kernels, sort, "sampling"),
                                             LATKEM_KERNEL(lk_ternary_kernels, words_to_trits, "sampling"),
                                             LATKEM_KERNEL(lk_ternary_kernels, weight_differs, "sampling"),
                                             LATKEM_KERNEL(lk_ternary_kernels, pack, "compress"),
                                             LATKEM_KERNEL(lk_ternary_kernels, unpack, "compress"),
                                             LATKEM_KERNEL(lk_ternary_kernels, lift_quotient, "reduce"),
                                             LATKEM_KERNEL(lk_ternary_kernels, invert, "inversion"));
    static_assert(list.pointer_bytes + sizeof(size_t) == sizeof(lk_ternary_kernels),
                  "a kernel of ternary is not listed");
    static const lk_ternary_kernels *&in(lk_backend &backend)
    {
        return backend.ternary;
    }
};

template <> struct Family<lk_keccak_kernels> {
    static constexpr const char *name = "keccak";
    static constexpr auto list = kernel_list(LATKEM_KERNEL(lk_keccak_kernels, permute, "keccak"),
                                             LATKEM_KERNEL(lk_keccak_kernels, absorb, "keccak"),
                                             LATKEM_KERNEL(lk_keccak_kernels, squeeze, "keccak"));
    static_assert(list.pointer_bytes + sizeof(lk_keccak_kernels::lanes) + sizeof(lk_keccak_kernels::pairs) ==
                      sizeof(lk_keccak_kernels),
                  "a kernel of keccak is not listed");
    static const lk_keccak_kernels *&in(lk_backend &backend)
    {
        return backend.symmetric.keccak;
    }
};

template <> struct Family<lk_aes_kernels> {
    static constexpr const char *name = "aes";
    static constexpr auto list = kernel_list(LATKEM_KERNEL(lk_aes_kernels, expand_key, "aes"),
                                             LATKEM_KERNEL(lk_aes_kernels, ctr, "aes"));
    static_assert(list.pointer_bytes + sizeof(lk_aes_kernels::instructions) == sizeof(lk_aes_kernels),
                  "a kernel of aes is not listed");
    static const lk_aes_kernels *&in(lk_backend &backend)
    {
        return backend.symmetric.aes;
    }
};

template <> struct Family<lk_sha2_kernels> {
    static constexpr const char *name = "sha2";
    static constexpr auto list = kernel_list(LATKEM_KERNEL(lk_sha2_kernels, sha256_compress, "sha2"),
                                             LATKEM_KERNEL(lk_sha2_kernels, sha512_compress, "sha2"));
    static_assert(list.pointer_bytes == sizeof(lk_sha2_kernels), "a kernel of sha2 is not listed");
    static const lk_sha2_kernels *&in(lk_backend &backend)
    {
        return backend.symmetric.sha2;
    }
};

#undef LATKEM_KERNEL

// for_each_family calls visit(Family<Table>()) for each family; for_each_kernel calls visit(Family<Table>(), kernel)
// for each kernel of each.
template <class Visit> void for_each_family(Visit &&visit)
{
    visit(Family<lk_q3329_kernels>());
    visit(Family<lk_negacyclic_kernels>());
    visit(Family<lk_cyclic_kernels>());
    visit(Family<lk_ternary_kernels>());
    visit(Family<lk_keccak_kernels>());
    visit(Family<lk_aes_kernels>());
    visit(Family<lk_sha2_kernels>());
}

template <class Visit> void for_each_kernel(Visit &&visit)
{
    for_each_family(
        [&](auto family) { std::apply([&](auto... kernel) { (visit(family, kernel), ...); }, family.list.kernels); });
}

// From its member symmetric on, a backend is the tables of the families; a new family belongs above.
static_assert(sizeof(lk_backend) - offsetof(lk_backend, symmetric) == 7 * sizeof(void *), "a family is not listed");

#endif
