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

/** @import { Phrase } from "./types/wire" */

/**
 * Return a sentence of the server in the language of the page. Values that are phrases have
 * translations too; others are names and numbers.
 * @param {Phrase} phrase
 * @returns {string}
 */
export function said({ one, many = null, values }) {
  const told = Object.fromEntries(
    Object.entries(values).map(([name, each]) => [name, typeof each === "object" ? said(each) : each]),
  );
  return many === null ? tr(one, told) : plural(one, many, Number(values["count"]), told);
}

/**
 * Return a sentence that came with a phrase, or is a template without values itself.
 * @param {string} sentence
 * @param {Phrase | null} [phrase]
 */
export function told(sentence, phrase = null) {
  return phrase === null ? tr(sentence) : said(phrase);
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
