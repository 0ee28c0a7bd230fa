// Judges the command's input in memory.
// SPDX-License-Identifier: Apache-2.0
#include "parse.h"

#include <algorithm>
#include <cctype>

#include <latkem/derand.h>

#include "identify.h"
#include "sets.h"

namespace
{

struct ObjectKind {
    Object object;
    const char *name;
    size_t (*bytes)(const latkem_kem *);
    int (*check)(const latkem_kem *, const uint8_t *, size_t); // NULL: any bytes of the right length will do
};

const ObjectKind kinds[] = {
    {Object::ek, "ek", latkem_ek_bytes, latkem_check_ek},
    {Object::dk, "dk", latkem_dk_bytes, latkem_check_dk},
    {Object::ct, "ct", latkem_ct_bytes, nullptr},
    {Object::seed, "seed", latkem_seed_bytes, nullptr},
};

const ObjectKind &kind_of(Object object)
{
    return kinds[static_cast<size_t>(object)];
}

int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// A guess at bytes of the wrong length.
std::string length_hint(const latkem_kem *kem, const ObjectKind &kind, std::string_view bytes)
{
    for (const ObjectKind &other : kinds)
        if (bytes.size() == other.bytes(kem)) return std::string(" (it may be the ") + other.name + ")";
    for (size_t i = 0; const latkem_kem *other = set_at(i); i++)
        if (bytes.size() == kind.bytes(other)) return std::string(" (it may be of ") + latkem_kem_name(other) + ")";
    const std::string looks = identify(bytes);
    return looks.empty() ? "" : " (it looks like " + looks + ")";
}

std::string letters_and_digits(std::string_view name)
{
    std::string kept;
    for (unsigned char c : name)
        if (std::isalnum(c)) kept += static_cast<char>(std::tolower(c));
    return kept;
}

// How many letters were left out, added, changed or swapped with the next one between a and b (Levenshtein's distance with
// swaps); any number from enough on if there are more.
size_t count_slips(std::string_view a, std::string_view b, size_t enough)
{
    if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) >= enough) return enough;
    std::vector<std::vector<size_t>> slips(a.size() + 1,
                                           std::vector<size_t>(b.size() + 1)); // between the first i and j
    for (size_t i = 0; i <= a.size(); i++)
        for (size_t j = 0; j <= b.size(); j++) {
            if (i == 0 || j == 0) {
                slips[i][j] = i + j;
                continue;
            }
            const size_t changed = slips[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            slips[i][j] = std::min({slips[i - 1][j] + 1, slips[i][j - 1] + 1, changed});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                slips[i][j] = std::min(slips[i][j], slips[i - 2][j - 2] + 1);
        }
    return slips[a.size()][b.size()];
}

} // namespace

const char *object_name(Object object)
{
    return kind_of(object).name;
}

size_t object_bytes(const latkem_kem *kem, Object object)
{
    return kind_of(object).bytes(kem);
}

std::string object_fault(const latkem_kem *kem, Object object, const uint8_t *data, size_t size)
{
    const ObjectKind &kind = kind_of(object);
    if (size != kind.bytes(kem))
        return std::to_string(size) + " bytes, but the " + kind.name + " of " + latkem_kem_name(kem) + " has " +
               std::to_string(kind.bytes(kem)) + length_hint(kem, kind, {reinterpret_cast<const char *>(data), size});
    if (is_hex({reinterpret_cast<const char *>(data), size})) return "is hex; latkem reads raw bytes";
    int result = kind.check ? kind.check(kem, data, size) : LATKEM_OK;
    return result == LATKEM_OK ? "" : latkem_strerror(result);
}

std::string parse_hex(std::string_view text, Buffer &out)
{
    out = Buffer();
    auto wrong = std::find_if(text.begin(), text.end(), [](char c) { return hex_digit(c) < 0; });
    if (wrong != text.end()) return "character " + std::to_string(wrong - text.begin() + 1) + " is not a hex digit";
    if (text.size() % 2 != 0) return "an odd number of hex digits (" + std::to_string(text.size()) + ")";
    Buffer bytes(text.size() / 2);
    for (size_t i = 0; i < bytes.size(); i++)
        bytes[i] = static_cast<uint8_t>(16 * hex_digit(text[2 * i]) + hex_digit(text[2 * i + 1]));
    out = std::move(bytes);
    return "";
}

std::string nearest(std::string_view name, const std::vector<std::string> &candidates)
{
    std::string best;
    size_t least = std::clamp<size_t>(name.size() / 4, 1, 2) + 1; // more slips than that make another word
    for (const std::string &candidate : candidates) {
        const size_t slips = count_slips(name, candidate, least);
        if (slips >= least) continue;
        least = slips;
        best = candidate;
    }
    return best;
}

const latkem_kem *suggest_set(std::string_view name)
{
    std::vector<std::string> reduced;
    for (size_t i = 0; const latkem_kem *kem = set_at(i); i++)
        reduced.push_back(letters_and_digits(latkem_kem_name(kem)));
    const auto found = std::find(reduced.begin(), reduced.end(), nearest(letters_and_digits(name), reduced));
    return found == reduced.end() ? nullptr : set_at(static_cast<size_t>(found - reduced.begin()));
}
