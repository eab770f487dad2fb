// Print the files whose code differs between two folders: node --expose-internals trees.mjs ONE OTHER
// The syntax trees come from the parser that node itself contains. Indents in templates of components
// (html`...`) do not count, nor do imports and exports, which packs replace.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { parse } = createRequire(import.meta.url)("internal/deps/acorn/acorn/dist/acorn");
const [one, other] = process.argv.slice(2);

function tree(path) {
  const parsed = parse(readFileSync(path, "utf8"), { ecmaVersion: "latest", sourceType: "module" });
  const withoutPlaces = (key, value) => {
    if (key === "start" || key === "end") return undefined;
    if (value?.type === "TaggedTemplateExpression" && value.tag.name === "html")
      for (const { value: text } of value.quasi.quasis)
        for (const form of ["raw", "cooked"]) text[form] = text[form].replace(/\n[ \t]+/g, "\n");
    return value;
  };
  return JSON.stringify(parsed.body.flatMap(inner), withoutPlaces);
}

/** Return what a statement is without its import or export. */
function inner(statement) {
  const { type, declaration } = statement;
  if (type === "ImportDeclaration") return [];
  if (type === "ExportNamedDeclaration") return declaration ?? [];
  if (type !== "ExportDefaultDeclaration") return statement;
  return { ...declaration, id: declaration.id ?? { type: "Identifier", name: "default_" } };
}

for (const name of readdirSync(one, { recursive: true })) {
  if (name.endsWith(".js") && tree(`${one}/${name}`) !== tree(`${other}/${name}`)) console.log(name);
}
