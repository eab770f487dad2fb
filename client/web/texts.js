// The language of the texts that people see.
//
// Texts are written in English in the code. The server makes a script of the catalogue of another
// language, `language/de.json`. `app/early.js` loads it before all modules, so modules may translate
// when they are loaded.

/** The languages, each by its own name; English is that of the code. */
export const LANGUAGES = { en: "English", de: "Deutsch", nl: "Nederlands", fr: "Français", es: "Español" };

const catalogue = globalThis.doublecrossTexts ?? { language: "en", texts: {} };
const texts = new Map(Object.entries(catalogue.texts));

/** The language of the page, a key of `LANGUAGES`. */
export const language = catalogue.language;

const rules = new Intl.PluralRules(language);

/**
 * Return the text in the language of the page, with the values in its braces.
 *
 * A word before a bar tells translators what a text is about, and people do not see it: other
 * languages have two words for `Play` and `playback|Play`.
 * @param {string} text
 * @param {Record<string, unknown>} [values]
 * @returns {string}
 */
export function tr(text, values) {
  return filled(single(text), values);
}

/**
 * Return the translation of `one` or `many` for the number `n`, which fills `{n}`.
 * @param {string} one
 * @param {string} many
 * @param {number} n
 * @param {Record<string, unknown>} [values]
 * @returns {string}
 */
export function plural(one, many, n, values) {
  const found = texts.get(`${many}_${rules.select(n)}`);
  return filled(found || (n === 1 ? one : many), { n, ...values });
}

/**
 * Return the parts of the translated text, in their order, with components instead of the braces.
 * @param {string} text
 * @param {Record<string, unknown>} values - components, texts and numbers
 * @returns {unknown[]}
 */
export function parts(text, values) {
  return single(text)
    .split(/\{(\w+)\}/)
    .map((part, at) => (at % 2 ? values[part] : part));
}

/**
 * Return a number in the form of the language, with at most `digits` decimals.
 * @param {number} number
 * @param {number} [digits]
 * @param {number} [least] how many decimals it has even if they are zeros
 */
export function decimal(number, digits = 1, least = 0) {
  return number.toLocaleString(language, { maximumFractionDigits: digits, minimumFractionDigits: least });
}

/**
 * Return a phrase about a move in the language of the page.
 * @param {{one: string, many: string | null, values: Record<string, string | number>, text: string}} phrase
 */
export function said({ one, many, values, text }) {
  if (!one) return text; // of an older server
  // A value may be words itself, such as `the win`.
  const told = Object.fromEntries(Object.entries(values).map(([name, each]) => [name, typeof each === "string" ? tr(each) : each]));
  return many === null ? tr(one, told) : plural(one, many, Number(values["count"]), told);
}

/**
 * Return a sentence of the server in the language of the page.
 *
 * It arrives with its values filled in. This finds the text of the catalogue that has the same words
 * around its braces. Values that are words are translated too, but no names: a player may be called
 * `easy`. Without such a text the sentence stays.
 * @param {string} sentence
 * @returns {string}
 */
export function known(sentence) {
  const translated = tr(sentence);
  if (translated !== sentence) return translated;
  templates ??= [...texts.keys()].filter((text) => text.includes("{") && !PLURAL.test(text)).map(template)
    .filter(({ words }) => words >= 8)
    .sort((one, other) => other.words - one.words);
  for (const { text, fixed, names, pattern } of templates) {
    const found = sentence.includes(fixed) && new RegExp(pattern, "s").exec(sentence);
    if (found) {
      const value = (/** @type {string} */ name, /** @type {string} */ text) =>
        /^(value_?|what|status|hint|reason)$/.test(name) ? known(text) : text;
      return tr(text, Object.fromEntries(names.map((name, at) => [name, value(name, found[at + 1] ?? "")])));
    }
  }
  return sentence;
}

/** The end of a key whose text depends on a number: the category of the number in CLDR. */
const PLURAL = /_(?:zero|one|two|few|many|other)$/;

/** @type {ReturnType<typeof template>[] | undefined} */
let templates;

/**
 * Return what a text with braces looks like when they are filled: its longest part between them, the
 * length of all such parts, the names in the braces, and a pattern of the whole.
 * @param {string} text
 */
function template(text) {
  const all = text.split(/\{(\w+)\}/);
  const outside = all.filter((_, at) => at % 2 === 0);
  const pattern = outside.map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&")).join("(.+?)");
  return {
    text,
    fixed: outside.reduce((longest, part) => (part.length > longest.length ? part : longest), ""),
    words: outside.join("").length,
    names: all.filter((_, at) => at % 2),
    pattern: `^${pattern}$`,
  };
}

/** @param {string} text */
function single(text) {
  return texts.get(text) || text.replace(/^\w+\|/, "");
}

/**
 * @param {string} text
 * @param {Record<string, unknown>} [values]
 */
function filled(text, values) {
  return values ? text.replace(/\{(\w+)\}/g, (_, name) => String(values[name])) : text;
}
