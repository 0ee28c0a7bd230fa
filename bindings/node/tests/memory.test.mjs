// Leaks and failed randomness, each in a process of its own. SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { deep } from "./vectors.mjs";

const run = (options, file, ...words) => {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return execFileSync(process.execPath, [...options, path, ...words], { encoding: "utf8" });
};

test("memory stays flat", () => {
  const count = deep ? 100_000 : 24_000;
  const grown = Number(run(["--expose-gc"], "./leaks.mjs", count));
  assert.ok(grown < 2 ** 20, `${grown} bytes more after ${count} operations`);
});

test("failed randomness is a RandomError", () => {
  assert.equal(run([], "./random.mjs"), "failed as it must\n");
});
