// Find the page's libraries where its import map finds them, and read its files as modules.

import { readFileSync } from "node:fs";

const WEB = new URL("../../client/web/", import.meta.url);
const LIBRARIES = JSON.parse(readFileSync(new URL("libraries.json", WEB), "utf8"));

export async function resolve(specifier, context, next) {
  const library = LIBRARIES[specifier];
  return library ? { url: new URL(library, WEB).href, shortCircuit: true } : next(specifier, context);
}

export async function load(url, context, next) {
  const ours = url.startsWith(WEB.href) && url.endsWith(".js");
  return next(url, ours ? { ...context, format: "module" } : context);
}
