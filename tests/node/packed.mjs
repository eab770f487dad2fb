// Compare the packed modules of the page with its files, then run tests (node packed.mjs TEST...) on
// the packed ones. The folder DOUBLECROSS_PACKED has the packs, and names.json: the exports of each.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const PACKED = pathToFileURL(`${process.env["DOUBLECROSS_PACKED"]}/`);
const WEB = new URL("../../client/web/", import.meta.url);
const names = JSON.parse(readFileSync(new URL("names.json", PACKED), "utf8"));

await import(new URL("packs/main.js", PACKED).href);

/** Return what can be compared of an exported value. */
function shown(value) {
  if (typeof value !== "function") return JSON.stringify(value) ?? typeof value;
  const methods = value.prototype ? Object.getOwnPropertyNames(value.prototype) : [];
  return [typeof value, value.length, Object.getOwnPropertyNames(value), methods];
}

test("every packed module exports what its file does", async () => {
  assert.ok(Object.keys(names).length > 150);
  // Libraries change each other, so all must be there before any is compared.
  const pairs = [];
  for (const path of Object.keys(names)) {
    const file = await import(new URL(`${path}?file`, WEB).href);
    pairs.push([path, file, await globalThis.packedModules[path]()]);
  }
  for (const [path, file, pack] of pairs) {
    assert.deepEqual(Object.keys(pack).sort(), Object.keys(file).sort(), path);
    for (const name of Object.keys(file))
      assert.deepEqual(shown(pack[name]), shown(file[name]), `${path}: ${name}`);
  }
});

for (const path of process.argv.slice(2)) await import(pathToFileURL(path).href);
