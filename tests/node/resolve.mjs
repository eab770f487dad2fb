// Find the page's libraries where its import map finds them, and read its files as modules.

const WEB = new URL("../../client/web/", import.meta.url);

const LIBRARIES = {
  preact: "preact.js",
  "preact/hooks": "preact-hooks.js",
  "@preact/signals": "signals.js",
  "@preact/signals-core": "signals-core.js",
  htm: "htm.js",
  uplot: "uplot.js",
  uqr: "uqr.js",
};

export async function resolve(specifier, context, next) {
  const file = LIBRARIES[specifier];
  return file
    ? { url: new URL(`vendor/${file}`, WEB).href, shortCircuit: true }
    : next(specifier, context);
}

export async function load(url, context, next) {
  const ours = url.startsWith(WEB.href) && url.endsWith(".js");
  return next(url, ours ? { ...context, format: "module" } : context);
}
