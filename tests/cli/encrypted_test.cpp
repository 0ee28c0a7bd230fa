// Encrypted private keys: what is written is what RFC 8018 says, what others write is read, passphrases come from files,
// descriptors and terminals, and no file makes the command work for minutes.
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdlib>
#include <fstream>

#include <openssl/evp.h>

#include "encrypted.h"
#include "harness/model/hex.h"
#include "keys.h"
#include "pem.h"
#include "run.h"

namespace
{

using Line = std::vector<std::string>;

const std::string set = "ML-KEM-512";

Buffer to_buffer(const std::string &text)
{
    return Buffer(reinterpret_cast<const uint8_t *>(text.data()), text.size());
}

std::string hex(const std::string &text)
{
    const Bytes bytes = from_hex(text);
    return {bytes.begin(), bytes.end()};
}

// An element of DER, with a length in three bytes at most.
std::string element(char tag, const std::string &content)
{
    const size_t size = content.size();
    std::string length(1, static_cast<char>(size));
    if (size >= 0x80) length = std::string{'\x82', static_cast<char>(size >> 8), static_cast<char>(size)};
    return std::string(1, tag) + length + content;
}

std::string sequence(const std::string &content)
{
    return element(0x30, content);
}

std::string integer(uint64_t value)
{
    std::string bytes;
    for (int i = 7; i >= 0; i--) bytes += static_cast<char>(value >> 8 * i);
    bytes.erase(0, std::min(bytes.find_first_not_of('\0'), size_t{7}));
    return element(0x02, (bytes[0] & 0x80 ? std::string(1, '\0') : "") + bytes);
}

const std::string pbkdf2 = hex("06092a864886f70d01050c"), scrypt = hex("06092b06010401da47040b"),
                  pbes2 = hex("06092a864886f70d01050d"), hmac_sha256 = hex("300c06082a864886f70d02090500"),
                  hmac_sha512 = hex("300c06082a864886f70d020b0500"), aes_256_cbc = hex("060960864801650304012a"),
                  aes_128_cbc = hex("0609608648016503040102"), salt = "sixteen bytes ..", iv = "another 16 bytes";

std::string pbkdf2_of(uint64_t count, const std::string &prf)
{
    return sequence(pbkdf2 + sequence(element(0x04, salt) + integer(count) + prf));
}

std::string scrypt_of(uint64_t n, uint64_t r, uint64_t p)
{
    return sequence(scrypt + sequence(element(0x04, salt) + integer(n) + integer(r) + integer(p)));
}

std::string crypt(const EVP_CIPHER *cipher, const std::string &key, const std::string &its_iv, const std::string &text,
                  int encrypts)
{
    std::string out(text.size() + 16, '\0');
    int size = 0, more = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    auto *at = reinterpret_cast<uint8_t *>(out.data());
    EXPECT_EQ(EVP_CipherInit_ex(context, cipher, nullptr, reinterpret_cast<const uint8_t *>(key.data()),
                                reinterpret_cast<const uint8_t *>(its_iv.data()), encrypts),
              1);
    EXPECT_EQ(EVP_CipherUpdate(context, at, &size, reinterpret_cast<const uint8_t *>(text.data()),
                               static_cast<int>(text.size())),
              1);
    EXPECT_EQ(EVP_CipherFinal_ex(context, at + size, &more), 1);
    EVP_CIPHER_CTX_free(context);
    return out.substr(0, static_cast<size_t>(size + more));
}

std::string pbkdf2_key(const std::string &passphrase, const std::string &its_salt, int count, const EVP_MD *digest,
                       size_t size)
{
    std::string key(size, '\0');
    EXPECT_EQ(PKCS5_PBKDF2_HMAC(passphrase.data(), static_cast<int>(passphrase.size()),
                                reinterpret_cast<const uint8_t *>(its_salt.data()), static_cast<int>(its_salt.size()),
                                count, digest, static_cast<int>(size), reinterpret_cast<uint8_t *>(key.data())),
              1);
    return key;
}

std::string scrypt_key(const std::string &passphrase, uint64_t n, uint64_t r, uint64_t p)
{
    std::string key(32, '\0');
    EXPECT_EQ(EVP_PBE_scrypt(passphrase.data(), passphrase.size(), reinterpret_cast<const uint8_t *>(salt.data()),
                             salt.size(), n, r, p, 0, reinterpret_cast<uint8_t *>(key.data()), key.size()),
              1);
    return key;
}

// An EncryptedPrivateKeyInfo as others write it.
std::string locked(const std::string &derivation, const std::string &cipher, const std::string &encrypted)
{
    return sequence(sequence(pbes2 + sequence(derivation + sequence(cipher + element(0x04, iv)))) +
                    element(0x04, encrypted));
}

class CliEncrypted : public CommandTest
{
  protected:
    CliEncrypted()
    {
        write("p", "correct horse\n");
        write("q", "battery staple\r\nsecond line\n");
        EXPECT_EQ(run({"keygen", set, "--ek", "ek", "--dk", "plain", "--format", "pem"}).status, 0);
        EXPECT_EQ(run({"convert", "--in", "plain", "--format", "der", "--out", "plain.der"}).status, 0);
        EXPECT_EQ(run({"encaps", set, "--ek", "ek", "--ct", "ct", "--ss", "ss"}).status, 0);
    }
    Result convert(const Line &more) const
    {
        Line line = {"convert", "--format", "pem", "--force"};
        line.insert(line.end(), more.begin(), more.end());
        return run(line);
    }
    // A key that the passphrase in p opens.
    void expect_good(const std::string &name) const
    {
        const Result inspected = run({"inspect", name, "--passphrase-file", "p"});
        EXPECT_EQ(inspected.status, 0) << inspected.err;
        EXPECT_NE(inspected.out.find("private key of ML-KEM-512, form seed"), std::string::npos) << inspected.out;
        EXPECT_NE(inspected.out.find(" bytes of encrypted "), std::string::npos) << inspected.out;
        EXPECT_EQ(run({"decaps", set, "--dk", name, "--passphrase-file", "p", "--ct", "ct", "--ss", "-"}).out,
                  read("ss"));
    }
    void expect_script(const std::string &script) const
    {
        std::ofstream(path("script")) << "set -e; L='" << LATKEM_COMMAND << "'\n" << script;
        const std::string line = "cd '" + path("") + "' && timeout 60 bash script > out.text 2> err.text";
        EXPECT_EQ(std::system(line.c_str()), 0) << script << read("err.text");
    }
};

TEST_F(CliEncrypted, EveryCommandReadsThem)
{
    write("text", "text");
    ASSERT_EQ(
        run({"keygen", "X-Wing", "--ek", "ek2", "--dk", "x", "--format", "der", "--encrypt", "--passphrase-file", "p"})
            .status,
        0);
    ASSERT_EQ(convert({"--in", "plain", "--encrypt", "--passphrase-file", "p", "--out", "key"}).status, 0);
    EXPECT_EQ(mode("key"), 0600u);
    EXPECT_EQ(mode("x"), 0600u);
    EXPECT_EQ(read("key").substr(0, 38), "-----BEGIN ENCRYPTED PRIVATE KEY-----\n");
    expect_good("key");
    EXPECT_EQ(run({"check", set, "--ek", "ek", "--dk", "key", "--passphrase-file", "p"}).status, 0);
    EXPECT_EQ(run({"check", "X-Wing", "--ek", "ek2", "--dk", "x", "--passphrase-file", "p"}).status, 0);
    ASSERT_EQ(run({"seal", "X-Wing", "--ek", "ek2", "--in", "text", "--out", "sealed"}).status, 0);
    EXPECT_EQ(run({"open", "X-Wing", "--dk", "x", "--passphrase-file", "p", "--in", "sealed", "--out", "-"}).out,
              "text");
    EXPECT_EQ(convert({"--in", "key", "--passphrase-file", "p", "--out", "again"}).status, 0);
    EXPECT_EQ(read("again"), read("plain"));
    EXPECT_EQ(convert({"--in", "key", "--passphrase-file", "p", "--public", "--out", "pub"}).status, 0);
    EXPECT_EQ(read("pub").substr(0, 26), "-----BEGIN PUBLIC KEY-----");
}

TEST_F(CliEncrypted, PassphrasesCanBeChanged)
{
    ASSERT_EQ(convert({"--in", "plain", "--encrypt", "--passphrase-file", "p", "--out", "one"}).status, 0);
    ASSERT_EQ(
        convert({"--in", "one", "--passphrase-file", "p", "--encrypt", "--new-passphrase-file", "q", "--out", "two"})
            .status,
        0);
    ASSERT_EQ(convert({"--in", "one", "--passphrase-file", "p", "--encrypt", "--out", "same"}).status, 0);
    expect_good("same");
    EXPECT_NE(read("same"), read("one")) << "the salt is fresh";
    expect_error(run({"check", set, "--dk", "two", "--passphrase-file", "p"}), 1,
                 {"two: its private key does not open: the passphrase is wrong"});
    EXPECT_EQ(convert({"--in", "two", "--passphrase-file", "q", "--out", "again"}).status, 0);
    EXPECT_EQ(read("again"), read("plain"));
    write("battery", "battery staple");
    EXPECT_EQ(run({"check", set, "--dk", "two", "--passphrase-file", "battery"}).status, 0) << "the line alone counts";
}

// Read with the primitives, byte for byte.
TEST_F(CliEncrypted, AreWrittenAsDocumented)
{
    ASSERT_EQ(
        run({"convert", "--in", "plain", "--format", "der", "--encrypt", "--passphrase-file", "p", "--out", "key"})
            .status,
        0);
    const std::string key = read("key"), plain = read("plain.der");
    const std::string padded(96, '\0'); // 86 bytes and their padding
    const std::string its_salt = key.substr(key.find(pbkdf2) + 15, 16),
                      its_iv = key.substr(key.find(aes_256_cbc) + 13, 16);
    const std::string derivation = sequence(pbkdf2 + sequence(element(0x04, its_salt) + integer(600000) + hmac_sha256));
    const std::string expected = sequence(
        sequence(pbes2 + sequence(derivation + sequence(aes_256_cbc + element(0x04, its_iv)))) + element(0x04, padded));
    ASSERT_EQ(key.size(), expected.size() + (expected.size() < 260 ? -1 : 0));
    EXPECT_NE(key.find(derivation), std::string::npos);
    const std::string secret = pbkdf2_key("correct horse", its_salt, 600000, EVP_sha256(), 32);
    EXPECT_TRUE(crypt(EVP_aes_256_cbc(), secret, its_iv, key.substr(key.size() - 96), 0) == plain);
}

TEST_F(CliEncrypted, OthersFilesAreRead)
{
    const std::string plain = read("plain.der"), pass = "correct horse";
    const auto with = [&](const EVP_CIPHER *cipher, const std::string &key) {
        return crypt(cipher, key, iv, plain, 1);
    };
    const std::string files[] = {
        locked(pbkdf2_of(2048, hmac_sha256), aes_256_cbc,
               with(EVP_aes_256_cbc(), pbkdf2_key(pass, salt, 2048, EVP_sha256(), 32))),
        locked(pbkdf2_of(1, ""), aes_128_cbc, with(EVP_aes_128_cbc(), pbkdf2_key(pass, salt, 1, EVP_sha1(), 16))),
        locked(pbkdf2_of(1000, hmac_sha512), aes_128_cbc,
               with(EVP_aes_128_cbc(), pbkdf2_key(pass, salt, 1000, EVP_sha512(), 16))),
        locked(scrypt_of(16384, 8, 1), aes_256_cbc, with(EVP_aes_256_cbc(), scrypt_key(pass, 16384, 8, 1))),
        locked(scrypt_of(1024, 8, 16), aes_256_cbc, with(EVP_aes_256_cbc(), scrypt_key(pass, 1024, 8, 16)))};
    for (const std::string &file : files) {
        write("key", file);
        expect_good("key");
        const Buffer pem = encode_pem("ENCRYPTED PRIVATE KEY", to_buffer(file));
        write("key", std::string(text_of(pem)));
        expect_good("key");
        std::string flat = read("key");
        std::replace(flat.begin(), flat.end(), '\n', ' ');
        write("key", flat);
        expect_good("key");
        std::string bad = file;
        bad[bad.size() - 20] ^= 1;
        write("key", bad);
        expect_error(run({"check", set, "--dk", "key", "--passphrase-file", "p"}), 1,
                     {"key: its private key does not open"});
        write("key", file.substr(0, file.size() - 1));
        EXPECT_EQ(run({"check", set, "--dk", "key", "--passphrase-file", "p"}).status, 1);
    }
}

// The key inside is checked as every key is.
TEST_F(CliEncrypted, WhatIsInsideIsChecked)
{
    const std::string key = pbkdf2_key("correct horse", salt, 1, EVP_sha256(), 32);
    for (const std::string &inside :
         {hex("300e020100300506032b657004020400"), std::string("text"), read("plain.der") + "x"}) {
        write("key", locked(pbkdf2_of(1, hmac_sha256), aes_256_cbc, crypt(EVP_aes_256_cbc(), key, iv, inside, 1)));
        expect_error(run({"check", set, "--dk", "key", "--passphrase-file", "p"}), 1, {"key: "});
    }
}

TEST_F(CliEncrypted, NoFileAsksForMinutes)
{
    const std::string content(96, 'x');
    const std::string derivations[] = {pbkdf2_of(10000001, hmac_sha256),
                                       pbkdf2_of(uint64_t{1} << 40, hmac_sha256),
                                       pbkdf2_of(0, hmac_sha256),
                                       scrypt_of(1 << 20, 8, 1),
                                       scrypt_of(16384, 8, 1 << 14),
                                       scrypt_of(2, 1 << 22, 1),
                                       scrypt_of(2, 1, 1 << 22),
                                       scrypt_of(uint64_t{1} << 40, 1, 1),
                                       scrypt_of(0, 8, 1)};
    for (const std::string &derivation : derivations) {
        write("key", locked(derivation, aes_256_cbc, content));
        const auto begin = std::chrono::steady_clock::now();
        expect_error(run({"check", set, "--dk", "key", "--passphrase-file", "p"}), 1,
                     {"key: its passphrase is protected with more work"});
        EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
    }
    write("key", sequence(sequence(hex("06052a03040506") + hex("0500")) + element(0x04, content)));
    expect_error(run({"check", set, "--dk", "key", "--passphrase-file", "p"}), 1,
                 {"key: its private key is encrypted in a way that latkem does not read"});
    write("key", sequence(sequence(pbes2 + hex("0500")) + element(0x04, content)));
    expect_error(run({"check", set, "--dk", "key", "--passphrase-file", "p"}), 1,
                 {"key: its private key is encrypted in a way that latkem does not read"});
}

TEST_F(CliEncrypted, WrongUse)
{
    ASSERT_EQ(convert({"--in", "plain", "--encrypt", "--passphrase-file", "p", "--out", "key"}).status, 0);
    const std::string none = "there is no terminal to ask for";
    expect_error(run({"check", set, "--dk", "key"}), 1,
                 {"key: its private key is encrypted, and " + none, "--passphrase-file"});
    expect_error(run({"inspect", "key"}), 1, {"key: its private key is encrypted, and " + none});
    expect_error(convert({"--in", "plain", "--encrypt", "--out", "new"}), 1, {"new: " + none});
    for (const char *text : {"", "\n", "\r\nx", "\nx"}) {
        write("empty", text);
        expect_error(run({"check", set, "--dk", "key", "--passphrase-file", "empty"}), 1, {"empty: has no passphrase"});
    }
    write("long", std::string(1025, 'x'));
    expect_error(run({"check", set, "--dk", "key", "--passphrase-file", "long"}), 1,
                 {"long: has a passphrase of more than 1024 bytes"});
    expect_error(run({"check", set, "--dk", "key", "--passphrase-file", "missing"}), 1, {"missing: No such file"});
    expect_error(run({"check", set, "--dk", "key", "--passphrase-fd", "9"}), 1, {"/dev/fd/9: Bad file descriptor"});
    expect_error(run({"check", set, "--dk", "key", "--passphrase-fd", "p"}), 2,
                 {"--passphrase-fd: is the number of a descriptor"});
    expect_error(run({"check", set, "--dk", "key", "--passphrase-file", "p", "--passphrase-fd", "3"}), 2, {"excludes"});
    expect_error(run({"keygen", set, "--ek", "new", "--dk", "new2", "--encrypt", "--passphrase-file", "p"}), 2,
                 {"--encrypt: raw bytes are not encrypted"});
    expect_error(run({"keygen", set, "--ek", "new", "--dk", "new2", "--format", "pem", "--passphrase-file", "p"}), 2,
                 {"keygen: a passphrase is for --encrypt"});
    expect_error(convert({"--in", "plain", "--encrypt", "--public", "--out", "new"}), 2,
                 {"--encrypt: is for private keys"});
    expect_error(convert({"--in", "ek", "--encrypt", "--passphrase-file", "p", "--out", "new"}), 2,
                 {"--encrypt: is for private keys"});
    expect_error(run({"check", set, "--ek", "key"}), 1, {"key: holds ENCRYPTED PRIVATE KEY and no PUBLIC KEY"});
    write("mislabelled", [&] {
        std::string text = read("key");
        for (size_t at; (at = text.find("ENCRYPTED ")) != std::string::npos;) text.erase(at, 10);
        return text;
    }());
    expect_error(run({"check", set, "--dk", "mislabelled", "--passphrase-file", "p"}), 1,
                 {"mislabelled: PEM: the block PRIVATE KEY holds an encrypted private key"});
    EXPECT_FALSE(exists("new") || exists("new2"));
}

TEST_F(CliEncrypted, PassphrasesFromDescriptors)
{
    expect_script(
        "$L keygen " + set +
        " --ek e --dk d --format pem --encrypt --passphrase-fd 3 3< p\n"
        "$L check " +
        set +
        " --ek e --dk d --passphrase-fd 3 3< p\n"
        "$L check " +
        set +
        " --ek e --dk d --passphrase-fd 0 <<< 'correct horse'\n"
        "$L check " +
        set +
        " --ek e --dk d --passphrase-file <(echo correct horse)\n"
        "$L check " +
        set +
        " --ek e --dk d --passphrase-file - < p\n"
        "{ echo correct horse; cat plain; } > both; { $L convert --in d --format pem --passphrase-fd 3 --out new; cat "
        "<&3 > rest; } 3< both\n"
        "cmp rest plain\n"
        "$L convert --in d --format pem --passphrase-fd 3 --encrypt --new-passphrase-fd 4 --out d2 3< p 4< q\n"
        "$L check " +
        set +
        " --ek e --dk d2 --passphrase-file q\n"
        "$L convert --in d --format pem --passphrase-fd 3 --encrypt --out d3 3< p; $L check " +
        set + " --ek e --dk d3 --passphrase-file p\n");
}

// A terminal asks, shows no byte of the answer, and has its echo again afterwards, after Ctrl-C too.
TEST_F(CliEncrypted, PassphrasesFromTheTerminal)
{
    ASSERT_EQ(convert({"--in", "plain", "--encrypt", "--passphrase-file", "p", "--out", "key"}).status, 0);
    expect_script("exec python3 - \"$L\" <<'END'\n"
                  "import os, pty, signal, sys, termios, time\n"
                  "signal.signal(signal.SIGINT, signal.SIG_DFL) # a job in the background ignores it\n"
                  "def talk(arguments, *answers):\n"
                  "    pid, fd = pty.fork()\n"
                  "    if pid == 0:\n"
                  "        os.execv(sys.argv[1], ['latkem', *arguments])\n"
                  "    shown = b''\n"
                  "    for question, answer in answers:\n"
                  "        while question not in shown: shown += os.read(fd, 1000)\n"
                  "        echo = termios.tcgetattr(fd)[3] & termios.ECHO\n"
                  "        assert not echo\n"
                  "        os.write(fd, answer)\n"
                  "        shown += b'|'\n"
                  "    try:\n"
                  "        while piece := os.read(fd, 1000): shown += piece\n"
                  "    except OSError: pass\n"
                  "    status = os.waitpid(pid, 0)[1]\n"
                  "    assert b'horse' not in shown, shown\n"
                  "    return status, shown\n"
                  "right, wrong = b'correct horse\\n', b'other horse\\n'\n"
                  "one, new, again = b'Passphrase of key: ', b'New passphrase of d: ', b'The same again: '\n"
                  "check = ['check', 'ML-KEM-512', '--dk', 'key']\n"
                  "assert talk(check, (one, right))[0] == 0\n"
                  "status, shown = talk(check, (one, wrong))\n"
                  "assert status == 256 and b'passphrase is wrong' in shown, shown\n"
                  "keygen = ['keygen', 'ML-KEM-512', '--ek', 'e', '--dk', 'd', '--format', 'pem', '--encrypt']\n"
                  "status, shown = talk(keygen, (new, right), (again, wrong))\n"
                  "assert status == 256 and b'the two passphrases differ' in shown and not os.path.exists('d'), shown\n"
                  "assert talk(keygen, (new, right), (again, right))[0] == 0\n"
                  "assert os.system(f'{sys.argv[1]} check ML-KEM-512 --ek e --dk d --passphrase-file p') == 0\n"
                  "status, shown = talk(check, (one, b'\\x03'))\n"
                  "assert status == 2, status\n"
                  "pid, fd = pty.fork()\n"
                  "if pid == 0:\n"
                  "    os.system(f'{sys.argv[1]} check ML-KEM-512 --dk key; stty -a; sleep 1')\n"
                  "    os._exit(0)\n"
                  "shown = b''\n"
                  "while one not in shown: shown += os.read(fd, 1000)\n"
                  "os.write(fd, wrong)\n"
                  "while b'echoe' not in shown: shown += os.read(fd, 1000)\n"
                  "assert b' echo ' in shown.replace(b'\\r\\n', b' '), shown\n"
                  "END\n");
}

// The secrets of the command while it waits for the reader of its output: dk, but no more the passphrase, nor the
// file's key.
TEST_F(CliEncrypted, PassphraseAndFileAreWiped)
{
    ASSERT_EQ(convert({"--in", "plain", "--encrypt", "--passphrase-file", "p", "--out", "key"}).status, 0);
    ASSERT_EQ(run({"convert", "--in", "plain", "--format", "raw", "--out", "dk"}).status, 0);
    expect_script("mkfifo fifo; exec python3 - \"$L\" <<'END'\n"
                  "import subprocess, sys, time\n"
                  "p = subprocess.Popen([sys.argv[1], 'decaps', 'ML-KEM-512', '--dk', 'key', '--passphrase-file', 'p', "
                  "'--ct', 'ct', '--ss', 'fifo'])\n"
                  "time.sleep(1.5)\n"
                  "memory = b''\n"
                  "with open(f'/proc/{p.pid}/maps') as maps, open(f'/proc/{p.pid}/mem', 'rb') as mem:\n"
                  "    for line in maps:\n"
                  "        area, mode = line.split()[:2]\n"
                  "        if mode.startswith('rw') and '[v' not in line:\n"
                  "            begin, end = (int(x, 16) for x in area.split('-'))\n"
                  "            if end - begin > 1 << 27: continue  # a sanitizer's shadow\n"
                  "            mem.seek(begin)\n"
                  "            memory += mem.read(end - begin)\n"
                  "open('fifo', 'rb').read()\n"
                  "assert p.wait() == 0\n"
                  "dk, file = open('dk', 'rb').read(), open('plain.der', 'rb').read()\n"
                  "assert dk[:64] in memory, 'the search finds nothing at all'\n"
                  "assert b'correct horse' not in memory, 'passphrase'\n"
                  "assert file[22:54] not in memory, 'seed'\n"
                  "END\n");
}

} // namespace
