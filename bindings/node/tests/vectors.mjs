// Known-answer files, and facts of the sets. SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const deep = Boolean(process.env.LATKEM_TEST_DEEP);

export function read(name) {
  return readFileSync(join(process.env.LATKEM_VECTORS, name), "utf8");
}

export function* tests(name) {
  for (const group of JSON.parse(read(name)).testGroups) {
    for (const test of group.tests) yield [group, test];
  }
}

export const facts = new Map(JSON.parse(read("sets.json")).sets.map((row) => [row.name, row]));

export function unhex(...texts) {
  return Buffer.from(texts.join(""), "hex");
}

export function hex(bytes) {
  return Buffer.from(bytes).toString("hex");
}
