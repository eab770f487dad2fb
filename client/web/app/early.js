// Apply the theme, the palette and the language before the first paint, name the page whose place is held, and begin
// what takes a while on a slow network; a classic script in the document's head.

(() => {
  const root = document.documentElement;
  let chosen = "auto";
  const script = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  const base = new URL("../../..", script).pathname.replace(/\/$/, "");
  const page = location.pathname.slice(base.length).split("/")[1] ?? "";
  // The first page has its board where a room has it.
  root.dataset["page"] = page || "room";
  const prefers = (/** @type {string} */ what) => matchMedia(`(prefers-${what})`).matches;
  root.dataset["theme"] = prefers("contrast: more") ? "contrast" : prefers("color-scheme: dark") ? "dark" : "light";
  try {
    const prefix = `doublecross${base}.settings.`;
    const theme = JSON.parse(localStorage.getItem(`${prefix}theme`) ?? '"auto"');
    const palette = JSON.parse(localStorage.getItem(`${prefix}palette`) ?? '"classic"');
    if (["light", "dark", "contrast"].includes(theme)) root.dataset["theme"] = theme;
    if (palette === "safe") root.dataset["palette"] = palette;
    chosen = JSON.parse(localStorage.getItem(`${prefix}language`) ?? '"auto"');
  } catch {
    // Without storage the system's theme and language apply.
  }
  let known = true;
  try {
    known = localStorage.getItem(`doublecross${base}.identity`) !== null;
  } catch {
    // Without storage the board comes a little later.
  }
  const preload = (/** @type {string} */ href) => {
    const link = document.createElement("link");
    const kind = href.endsWith(".js")
      ? { rel: "modulepreload" }
      : href.endsWith(".css")
        ? { rel: "preload", as: "style" }
        : { rel: "preload", as: "fetch", crossOrigin: "anonymous" };
    document.head.append(Object.assign(link, kind, { href }));
  };
  if (known) {
    const more = document.querySelector('meta[name="players"]')?.getAttribute("content") ?? "";
    for (const href of more.split(" ").filter(Boolean)) preload(href);
    // `net/early-socket.js` takes it for the first connection.
    const url = new URL(`${base}/socket`, location.href);
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    try {
      Object.assign(window, { earlySocket: new WebSocket(url, ["doublecross.v1.json"]) });
    } catch {
      // Without it the page connects a little later.
    }
  } else if (page === "") {
    // The board of somebody new: `pages/begin/start-board.js` asks for the same.
    preload(`${base}/api/geometry?game=dots-and-boxes&size=4x4`);
  }
  const others = ["de", "nl", "fr", "es"];
  const wanted = (chosen === "auto" ? navigator.languages : [chosen]).map((each) => String(each).split("-")[0] ?? "");
  const language = wanted.find((each) => each === "en" || others.includes(each)) ?? "en";
  root.lang = language;
  if (language !== "en") {
    // Modules wait for scripts that are written here, and for no other ones.
    const file = new URL(`../language/${language}.js`, script);
    document.write(`<script src="${file.href}"></script>`);
  }
})();
