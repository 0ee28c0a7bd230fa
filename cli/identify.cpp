// Identifies files that are no keys of latkem's.
// SPDX-License-Identifier: Apache-2.0
#include "identify.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "buffer.h"
#include "der.h"
#include "pem.h"

namespace
{

using namespace std::string_view_literals;

struct Mark {
    std::string_view bytes;
    const char *name;
};

// The beginning of a file.
constexpr Mark beginnings[] = {
    {"latkem sealed"sv, "a sealed file"},
    {"\x1f\x8b\x08"sv, "gzip data"},
    {"PK\x03\x04"sv, "a zip archive"},
    {"\xfd"
     "7zXZ\0"sv,
     "xz data"},
    {"\x28\xb5\x2f\xfd"sv, "zstd data"},
    {"BZh"sv, "bzip2 data"},
    {"%PDF"sv, "a PDF file"},
    {"\x7f"
     "ELF"sv,
     "a program"},
    {"\xfe\xed\xfe\xed"sv, "a Java key store"},
    {"\xce\xce\xce\xce"sv, "a Java key store"},
    {"openssh-key-v1\0"sv, "a private key of OpenSSH"},
    {"ssh-"sv, "a public key of OpenSSH"},
    {"ecdsa-sha2-"sv, "a public key of OpenSSH"},
    {"sk-"sv, "a public key of OpenSSH"},
    {"PuTTY-User-Key-File"sv, "a private key of PuTTY"},
    {"AGE-SECRET-KEY-"sv, "a private key of age"},
    {"age-encryption.org/"sv, "a file encrypted with age"},
    {"untrusted comment:"sv, "a key or signature of minisign"},
    {"---- BEGIN SSH2"sv, "a public key of SSH"},
    {"{"sv, "JSON"},
    {"<"sv, "HTML or XML"},
};

// A part somewhere in a text.
constexpr Mark contents[] = {
    {"\"kty\""sv, "a JSON Web Key"},
    {"AGE-SECRET-KEY-"sv, "a private key of age"},
    {"-----END "sv, "PEM without its line BEGIN"},
    {"BEGIN PRIVATE KEY"sv, "PEM whose line BEGIN is damaged"},
    {"BEGIN ENCRYPTED PRIVATE KEY"sv, "PEM whose line BEGIN is damaged"},
    {"BEGIN PUBLIC KEY"sv, "PEM whose line BEGIN is damaged"},
};

// Object identifiers of AlgorithmIdentifier.
constexpr Mark algorithms[] = {
    {"\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01"sv, "RSA"},
    {"\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0a"sv, "RSA-PSS"},
    {"\x2a\x86\x48\x86\xf7\x0d\x01\x03\x01"sv, "Diffie-Hellman"},
    {"\x2a\x86\x48\xce\x38\x04\x01"sv, "DSA"},
    {"\x2a\x86\x48\xce\x3d\x02\x01"sv, "an elliptic curve"},
    {"\x2b\x65\x6e"sv, "X25519"},
    {"\x2b\x65\x6f"sv, "X448"},
    {"\x2b\x65\x70"sv, "Ed25519"},
    {"\x2b\x65\x71"sv, "Ed448"},
    {"\x60\x86\x48\x01\x65\x03\x04\x03\x11"sv, "ML-DSA-44"},
    {"\x60\x86\x48\x01\x65\x03\x04\x03\x12"sv, "ML-DSA-65"},
    {"\x60\x86\x48\x01\x65\x03\x04\x03\x13"sv, "ML-DSA-87"},
    {"\x60\x86\x48\x01\x65\x03\x04\x04\x01"sv, "ML-KEM-512"},
    {"\x60\x86\x48\x01\x65\x03\x04\x04\x02"sv, "ML-KEM-768"},
    {"\x60\x86\x48\x01\x65\x03\x04\x04\x03"sv, "ML-KEM-1024"},
    {"\x2b\x06\x01\x04\x01\x83\xe6\x2d\x81\xc8\x7a"sv, "X-Wing"},
};

bool begins_with(std::string_view text, std::string_view mark)
{
    return text.substr(0, mark.size()) == mark;
}

std::vector<DerElement> elements_of(std::string_view in)
{
    std::vector<DerElement> elements;
    DerElement element{};
    while (take_der(in, element)) elements.push_back(element);
    return elements;
}

// The name of the algorithm that an AlgorithmIdentifier gives; "" if the element is none.
std::string algorithm_of(const DerElement &element)
{
    const std::vector<DerElement> parts = elements_of(element.content);
    if (element.tag != der_sequence || parts.empty() || parts[0].tag != der_oid) return "";
    for (const Mark &known : algorithms)
        if (parts[0].content == known.bytes) return known.name;
    return "an algorithm unknown here";
}

// A structure that begins with its version.
std::string identify_versioned(const std::vector<DerElement> &parts)
{
    const uint8_t second = parts[1].tag;
    if (parts[0].content == "\x03"sv && second == der_sequence)
        return "PKCS#12 (.p12, .pfx), which may have a private key";
    if (!algorithm_of(parts[1]).empty()) return "a private key of " + algorithm_of(parts[1]) + " (PKCS#8)";
    if (second == der_octet_string) return "a private key of an elliptic curve (SEC 1)";
    if (second != der_integer) return "";
    return parts.size() > 2 ? "a private key of RSA or DSA (PKCS#1)" : "a public key of RSA (PKCS#1)";
}

std::string identify_parts(const std::vector<DerElement> &parts)
{
    if (parts.size() < 2) return "";
    const uint8_t first = parts[0].tag, second = parts[1].tag;
    if (first == der_integer) return identify_versioned(parts);
    if (first == der_oid) return "a signed or encrypted message (PKCS#7, CMS)";
    const std::string algorithm = algorithm_of(parts[0]);
    if (!algorithm.empty() && second == der_bit_string) return "a public key of " + algorithm;
    if (!algorithm.empty() && second == der_octet_string) return "an encrypted private key";
    return first == der_sequence && second == der_sequence ? "a certificate or a request for one (X.509)" : "";
}

// A file that begins with a SEQUENCE of something known, and is not exactly that.
std::string identify_sequence(std::string_view bytes)
{
    if (begins_with(bytes, "\x30\x80\x02\x01"sv) || begins_with(bytes, "\x30\x80\x30"sv))
        return "BER of indefinite length, where DER is wanted";
    DerElement all{};
    std::string_view rest = bytes;
    if (take_der(rest, all)) {
        const std::string what = all.tag == der_sequence ? identify_parts(elements_of(all.content)) : "";
        if (what.empty()) return "";
        if (rest.empty()) return "DER: " + what;
        return "DER: " + what + ", with " + std::to_string(rest.size()) + " bytes behind its end";
    }
    // PKCS#8 or SubjectPublicKeyInfo with a length in one byte or in two that goes beyond the file's end.
    const std::string_view content = bytes.substr(
        std::min<size_t>(begins_with(bytes, "\x30\x82"sv) ? 4 : 2, bytes.size()));
    const bool is_public = content.size() > 2 && content[0] == der_sequence && content[2] == der_oid;
    if (begins_with(bytes, "\x30"sv) && (is_public || begins_with(content, "\x02\x01\0\x30"sv)))
        return "DER that is cut off";
    return "";
}

constexpr size_t fewest_digits = 16; // of hex and base64: shorter text may be a word

// The text without what editors, shells and programs put between digits.
Buffer digits_of(std::string_view text, std::string_view separators)
{
    Buffer digits(text.size());
    size_t size = 0;
    for (char c : text)
        if (separators.find(c) == std::string_view::npos) digits[size++] = static_cast<uint8_t>(c);
    return Buffer(digits.data(), size);
}

// Lines as those of xxd, hexdump -C and od: a number, groups of digits, and maybe the bytes as text.
bool is_hex_dump(std::string_view text)
{
    const std::string_view number = text.substr(0, text.find_first_of(" :\n"));
    const bool is_number = number.size() >= 6 && number.find_first_not_of('0') == std::string_view::npos;
    return is_number && number.size() < text.size() && text.find('\n') != std::string_view::npos;
}

// The content of base64, in either alphabet and with or without padding; "" if the text is no base64.
std::string identify_base64(std::string_view text)
{
    const Buffer digits = digits_of(text, " \t\r\n\\\"'=");
    Buffer padded((digits.size() + 3) / 4 * 4, '='), bytes;
    std::transform(digits.begin(), digits.end(), padded.data(), [](uint8_t c) {
        return c == '-' ? '+' : c == '_' ? '/' : c;
    });
    if (digits.size() < fewest_digits || !decode_base64(text_of(padded), bytes).empty()) return "";
    if (is_pem(text_of(bytes))) return "base64 of PEM";
    return identify_sequence(text_of(bytes)).empty() ? "base64"
                                                     : "base64 of DER, without the lines BEGIN and END of PEM";
}

bool is_text(std::string_view bytes)
{
    return std::all_of(bytes.begin(), bytes.end(),
                       [](char c) { return static_cast<unsigned char>(c) >= 0x20 || (c >= '\t' && c <= '\r'); });
}

std::string identify_text(std::string_view text)
{
    if (text.size() < fewest_digits) return "";
    if (is_hex(text)) return "hex; latkem reads raw bytes";
    if (is_hex_dump(text)) return "a hex dump; latkem reads raw bytes";
    const std::string base64 = identify_base64(text);
    return base64.empty() ? "text" : base64;
}

} // namespace

bool is_hex(std::string_view text)
{
    const Buffer digits = digits_of(text, " \t\r\n:,x\"'\\");
    return digits.size() >= fewest_digits &&
           std::all_of(digits.begin(), digits.end(), [](uint8_t c) { return std::isxdigit(c); });
}

std::string identify_der(std::string_view der)
{
    DerElement all{};
    return take_der(der, all) && all.tag == der_sequence ? identify_parts(elements_of(all.content)) : "";
}

std::string identify(std::string_view bytes)
{
    if (bytes.empty()) return "an empty file";
    if (is_pem(bytes)) return "PEM, which is for keys alone";
    if (is_text(bytes))
        for (const Mark &mark : contents)
            if (bytes.find(mark.bytes) != std::string_view::npos) return mark.name;
    for (const Mark &mark : beginnings)
        if (begins_with(bytes, mark.bytes) && (mark.bytes.size() > 2 || is_text(bytes))) return mark.name;
    return is_text(bytes) ? identify_text(bytes) : identify_sequence(bytes);
}
