// The person's settings: signals whose values are kept in the browser.

import { effect, signal } from "@preact/signals";

import { LANGUAGES } from "../texts.js";

/**
 * @template T
 * @typedef {import("@preact/signals").Signal<T>} Signal
 */
/**
 * @typedef {"auto" | "light" | "dark" | "contrast"} Theme
 * @typedef {"classic" | "safe"} Palette
 * @typedef {"auto" | keyof typeof LANGUAGES} Language
 */

/** Where the storage has the time of each setting's last change. */
export const TIMES = "settingTimes";
/** Whether a value fits a setting. @type {WeakMap<object, (value: unknown) => boolean>} */
export const FITS = new WeakMap();

export class Settings {
  /** @type {Signal<Theme>} */
  theme;
  /** @type {Signal<Palette>} Colours of the two players; `safe` for any colour vision. */
  palette;
  /** @type {Signal<Language>} The language of the texts; the page must load again after a change. */
  language;
  /** @type {Signal<boolean>} Whether players keep their colours in rematches. */
  keepColours;
  /** @type {Signal<boolean>} */
  sound;
  /** @type {Signal<boolean>} Whether the browser notifies a person who looks elsewhere. */
  notify;
  /** @type {Signal<boolean>} Whether a tap only chooses a move, and a second tap plays it. */
  confirmTaps;
  /** @type {Signal<boolean>} Whether moves can be chosen while the opponent thinks. */
  premoves;
  /** @type {Signal<boolean>} Whether phrases of opponents are dropped, unless a room wants them. */
  mutePhrases;
  /** @type {Signal<boolean>} Whether the chains and loops of the board are outlined. */
  overlay;
  /** @type {Signal<boolean>} Whether the board shows what a network would play. */
  heat;
  /** @type {Signal<boolean>} Whether boards have letters and numbers on their rim. */
  rim;
  /** @type {Signal<boolean>} Whether single letters are shortcuts. */
  shortcuts;

  /** @param {import("./storage.js").Storage} storage */
  constructor(storage) {
    this.theme = oneOf(storage, "theme", /** @type {const} */ (["auto", "light", "dark", "contrast"]));
    this.palette = oneOf(storage, "palette", /** @type {const} */ (["classic", "safe"]));
    this.language = oneOf(storage, "language", /** @type {[Language, ...Language[]]} */ (["auto", ...Object.keys(LANGUAGES)]));
    this.keepColours = kept(storage, "keepColours", true, isBoolean);
    this.sound = kept(storage, "sound", true, isBoolean);
    this.notify = kept(storage, "notify", false, isBoolean);
    this.confirmTaps = kept(storage, "confirmTaps", false, isBoolean);
    this.premoves = kept(storage, "premoves", true, isBoolean);
    this.mutePhrases = kept(storage, "mutePhrases", false, isBoolean);
    this.overlay = kept(storage, "overlay", false, isBoolean);
    this.heat = kept(storage, "heat", false, isBoolean);
    this.rim = kept(storage, "rim", true, isBoolean);
    this.shortcuts = kept(storage, "shortcuts", true, isBoolean);
  }

  /**
   * Apply theme and palette to the document, now and after each change.
   * @param {HTMLElement} root
   * @param {MediaQueryList} dark - whether the system's theme is dark
   * @param {MediaQueryList} contrast - whether the system wants more contrast
   */
  applyTo(root, dark, contrast) {
    const system = signal("");
    const ask = () => (system.value = contrast.matches ? "contrast" : dark.matches ? "dark" : "light");
    for (const query of [dark, contrast]) query.addEventListener("change", ask);
    ask();
    effect(() => {
      root.dataset["theme"] = this.theme.value === "auto" ? system.value : this.theme.value;
      if (this.palette.value === "classic") delete root.dataset["palette"];
      else root.dataset["palette"] = this.palette.value;
    });
  }
}

/**
 * @template T
 * @param {import("./storage.js").Storage} storage
 * @param {string} name
 * @param {T} usual
 * @param {(value: unknown) => boolean} fits
 * @returns {Signal<T>}
 */
function kept(storage, name, usual, fits) {
  const key = `settings.${name}`;
  const read = () => {
    const found = storage.get(key);
    return fits(found) ? /** @type {T} */ (found) : usual;
  };
  let before = read();
  const value = signal(before);
  FITS.set(value, fits);
  value.subscribe((now) => {
    if (now !== before) {
      storage.set(TIMES, { .../** @type {any} */ (storage.get(TIMES)), [name]: Date.now() });
      storage.set(key, now);
    }
    before = now;
  });
  storage.follow(key, () => (value.value = before = read()));
  return value;
}

/**
 * @template {string} T
 * @param {import("./storage.js").Storage} storage
 * @param {string} name
 * @param {readonly [T, ...T[]]} values - the first one is the default
 * @returns {Signal<T>}
 */
function oneOf(storage, name, values) {
  return kept(storage, name, values[0], (value) => values.includes(/** @type {T} */ (value)));
}

/** @param {unknown} value */
function isBoolean(value) {
  return typeof value === "boolean";
}
