// Print the files whose code differs between two folders: node --expose-internals trees.mjs ONE OTHER
// The syntax trees come from the parser that node itself contains.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { parse } = createRequire(import.meta.url)("internal/deps/acorn/acorn/dist/acorn");
const [one, other] = process.argv.slice(2);

function tree(path) {
  const parsed = parse(readFileSync(path, "utf8"), { ecmaVersion: "latest", sourceType: "module" });
  const withoutPlaces = (key, value) => (key === "start" || key === "end" ? undefined : value);
  return JSON.stringify(parsed.body, withoutPlaces);
}

for (const name of readdirSync(one, { recursive: true })) {
  if (name.endsWith(".js") && tree(`${one}/${name}`) !== tree(`${other}/${name}`)) console.log(name);
}
