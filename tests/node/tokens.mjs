// Print the files whose code differs between two folders: node --expose-internals tokens.mjs ONE OTHER
// The tokens come from the parser that node itself contains.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { tokenizer } = createRequire(import.meta.url)("internal/deps/acorn/acorn/dist/acorn");
const [one, other] = process.argv.slice(2);

function tokens(path) {
  const options = { ecmaVersion: "latest", sourceType: "module", locations: true };
  return [...tokenizer(readFileSync(path, "utf8"), options)].map(
    ({ type, value, loc }) => `${type.label} ${JSON.stringify(value) ?? ""} ${loc.start.line}`,
  );
}

for (const name of readdirSync(one, { recursive: true })) {
  if (!name.endsWith(".js")) continue;
  const before = tokens(`${one}/${name}`);
  const after = tokens(`${other}/${name}`);
  if (before.length === 0 || before.join("\n") !== after.join("\n")) console.log(name);
}
