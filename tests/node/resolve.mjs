// Find the page's libraries where its import map finds them, and read its files as modules.
//
// With DOUBLECROSS_PACKED (see packed.mjs) modules of the page come from its packs, except those whose
// address ends with ?file and what they import.

import { readFileSync } from "node:fs";

const WEB = new URL("../../client/web/", import.meta.url);
const FILE = "?file";

const LIBRARIES = {
  preact: "preact.js",
  "preact/hooks": "preact-hooks.js",
  "@preact/signals": "signals.js",
  "@preact/signals-core": "signals-core.js",
  htm: "htm.js",
  uplot: "uplot.js",
  uqr: "uqr.js",
};

const packed = process.env["DOUBLECROSS_PACKED"];
const names = packed ? JSON.parse(readFileSync(`${packed}/names.json`, "utf8")) : {};

export async function resolve(specifier, context, next) {
  const library = LIBRARIES[specifier];
  const found = library
    ? { url: new URL(`vendor/${library}`, WEB).href, shortCircuit: true }
    : await next(specifier, context);
  const file = context.parentURL?.startsWith(WEB.href) && context.parentURL.endsWith(FILE);
  return file && !found.url.endsWith(FILE) ? { ...found, url: found.url + FILE } : found;
}

export async function load(url, context, next) {
  const path = url.startsWith(WEB.href) ? url.slice(WEB.href.length) : "";
  if (path in names) return { format: "module", source: fromPack(path), shortCircuit: true };
  const ours = path.endsWith(".js") || path.endsWith(`.js${FILE}`);
  return next(url, ours ? { ...context, format: "module" } : context);
}

/** Return a module that exports what the packed one does. */
function fromPack(path) {
  const lines = names[path].map((name) =>
    name === "default" ? "export default pack.default;" : `export const ${name} = pack.${name};`,
  );
  return `const pack = await packedModules["${path}"]();\n${lines.join("\n")}`;
}
