// Node's end of the interoperation: ML-KEM of the OpenSSL in it. A line of words on stdin is a call, a line on stdout its
// results, as with latkem's end. SPDX-License-Identifier: Apache-2.0
import crypto from 'node:crypto';
import readline from 'node:readline';

const bytes = (word) => Buffer.from(word === '-' ? '' : word, 'hex');
const spki = (key) => key.export({ format: 'der', type: 'spki' });
const pkcs8 = (key) => key.export({ format: 'der', type: 'pkcs8' });
const readPublic = (word) => crypto.createPublicKey({ key: bytes(word), format: 'der', type: 'spki' });
const readPrivate = (word) => crypto.createPrivateKey({ key: bytes(word), format: 'der', type: 'pkcs8' });

const calls = {
    // The file of the public key, and that of the private one in OpenSSL's usual form.
    generate(set) {
        const { publicKey, privateKey } = crypto.generateKeyPairSync(set.toLowerCase());
        return [spki(publicKey), pkcs8(privateKey)];
    },
    encaps(file) {
        const { ciphertext, sharedKey } = crypto.encapsulate(readPublic(file));
        return [ciphertext, sharedKey];
    },
    decaps(ct, file) {
        return [crypto.decapsulate(readPrivate(file), bytes(ct))];
    },
    // What is read, written again.
    private_read(file) {
        const key = readPrivate(file);
        return [spki(crypto.createPublicKey(key)), pkcs8(key)];
    },
};

for await (const line of readline.createInterface({ input: process.stdin })) {
    const [name, ...words] = line.split(' ');
    let answer;
    try {
        answer = calls[name](...words).map((result) => result.toString('hex') || '-').join(' ');
    } catch (error) {
        answer = `error ${error.message}`;
    }
    process.stdout.write(`${answer}\n`);
}
