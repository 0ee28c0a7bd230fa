// Node's end of TLS, with the OpenSSL in it. A line of words on stdin is a call, a line on stdout its result. Only a client
// can name the group. Usage: node.mjs KEY CERTIFICATE. SPDX-License-Identifier: Apache-2.0
import fs from 'node:fs';
import readline from 'node:readline';
import tls from 'node:tls';

const [key, cert] = process.argv.slice(2).map((file) => fs.readFileSync(file));
const reversed = (text) => [...text].reverse().join('');
const accepted = []; // what the server has to report, or who waits for it
const waiting = [];

function report(text) {
    if (waiting.length > 0) waiting.shift()(text);
    else accepted.push(text);
}

// Calls take(line) with the first line of a connection.
function onLine(connection, take) {
    let text = '';
    connection.on('data', (data) => {
        text += data;
        if (text.includes('\n')) take(text.split('\n')[0]);
    });
}

function answerLine(connection) {
    onLine(connection, (line) => {
        connection.end(`${reversed(line)}\n`);
        report(`- ${line}`);
    });
    connection.on('error', () => {});
}

const calls = {
    version() {
        return `OpenSSL ${process.versions.openssl}`;
    },
    serve(groups) {
        const server = tls.createServer({ key, cert, ecdhCurve: groups, minVersion: 'TLSv1.3' }, answerLine);
        server.on('tlsClientError', (error) => report(`error ${error.message}`));
        return new Promise((resolve) => {
            server.listen(0, '127.0.0.1', () => resolve(`${server.address().port}`));
        });
    },
    accepted() {
        return accepted.length > 0 ? accepted.shift() : new Promise((resolve) => waiting.push(resolve));
    },
    connect(port, groups, word) {
        return new Promise((resolve, reject) => {
            const options = { host: '127.0.0.1', port, ecdhCurve: groups, minVersion: 'TLSv1.3', rejectUnauthorized: false };
            const connection = tls.connect(options, () => connection.write(`${word}\n`));
            onLine(connection, (line) => {
                resolve(`${connection.getEphemeralKeyInfo().name ?? '-'} ${line}`);
                connection.end();
            });
            connection.on('error', reject);
            connection.on('close', () => reject(new Error('closed')));
        });
    },
};

for await (const line of readline.createInterface({ input: process.stdin })) {
    const [name, ...words] = line.split(' ');
    let answer;
    try {
        answer = await calls[name](...words);
    } catch (error) {
        answer = `error ${error.message}`;
    }
    process.stdout.write(`${answer.trim().replaceAll('\n', '; ')}\n`);
}
process.exit();
