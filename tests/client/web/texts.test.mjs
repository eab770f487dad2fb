// Check texts in another language: values, forms for numbers, and components inside of sentences.

import assert from "node:assert/strict";
import { test } from "node:test";

/**
 * Return the module as a page loads it with this catalogue.
 * @param {unknown} catalogue
 */
async function loaded(catalogue) {
  globalThis.doublecrossTexts = catalogue;
  return import(`../../../client/web/texts.js?${Math.random()}`);
}

const FRENCH = {
  language: "fr",
  texts: {
    "Challenge {name}": "Défier {name}",
    "{n} games_one": "{n} partie",
    "{n} games_many": "{n} de parties",
    "{n} games_other": "{n} parties",
    "{winner} beat {loser}": "{loser} a perdu contre {winner}",
    "Cancel": "Annuler",
  },
};

test("without a catalogue the texts are those of the code", async () => {
  const { tr, plural, parts, language } = await loaded(undefined);
  assert.equal(language, "en");
  assert.equal(tr("Cancel"), "Cancel");
  assert.equal(tr("playback|Play"), "Play");
  assert.equal(tr("Challenge {name}", { name: "{Bob}" }), "Challenge {Bob}");
  assert.equal(plural("1 box", "{n} boxes", 1), "1 box");
  assert.equal(plural("1 box", "{n} boxes", 0), "0 boxes");
  assert.deepEqual(parts("{a} and {b}.", { a: 1, b: 2 }), ["", 1, " and ", 2, "."]);
});

test("numbers have the decimals of the language", async () => {
  const english = await loaded(undefined);
  assert.deepEqual([1.25, 1, -2.5].map((number) => english.decimal(number)), ["1.3", "1", "-2.5"]);
  const { decimal } = await loaded(FRENCH);
  assert.deepEqual([decimal(2.5), decimal(0.125, 3), decimal(2, 1, 1)], ["2,5", "0,125", "2,0"]);
});

test("a catalogue gives words, forms and the order of values", async () => {
  const { tr, plural, parts, language } = await loaded(FRENCH);
  assert.equal(language, "fr");
  assert.equal(tr("Cancel"), "Annuler");
  assert.equal(tr("Challenge {name}", { name: "Bob" }), "Défier Bob");
  assert.equal(tr("in no catalogue"), "in no catalogue");
  // In French zero is singular, and millions have a form of their own.
  const said = [0, 1, 2, 1e6].map((n) => plural("{n} game", "{n} games", n));
  assert.deepEqual(said, ["0 partie", "1 partie", "2 parties", "1000000 de parties"]);
  assert.equal(plural("one box", "{n} boxes", 2), "2 boxes");
  const sentence = parts("{winner} beat {loser}", { winner: "Ann", loser: "Bob" });
  assert.equal(sentence.join(""), "Bob a perdu contre Ann");
});

test("other languages than French have the plural for zero", async () => {
  const { plural } = await loaded({ ...FRENCH, language: "de" });
  assert.equal(plural("{n} game", "{n} games", 0), "0 parties");
});

test("sentences of the server are said by their templates and values", async () => {
  const { told } = await loaded({
    language: "de",
    texts: {
      "{name} has started already.": "{name} hat schon begonnen.",
      "The room is {status}; no rematch now.": "Der Raum ist {status}; jetzt keine Revanche.",
      "open": "offen",
      "easy": "leicht",
      "Nobody joined.": "Niemand kam.",
      "Nobody has moved for {time}.": "{time} lang zog niemand.",
      "{count} days_other": "{count} Tage",
    },
  });
  assert.equal(told("", { one: "{name} has started already.", values: { name: "easy" } }), "easy hat schon begonnen.");
  const room = { one: "The room is {status}; no rematch now.", values: { status: { one: "open", values: {} } } };
  assert.equal(told("", room), "Der Raum ist offen; jetzt keine Revanche.");
  const days = { one: "{count} day", many: "{count} days", values: { count: 2 } };
  assert.equal(told("", { one: "Nobody has moved for {time}.", values: { time: days } }), "2 Tage lang zog niemand.");
  assert.equal(told("Nobody joined."), "Niemand kam.");
  assert.equal(told("Nobody joined.", null), "Niemand kam.");
  assert.equal(told("A new sentence."), "A new sentence.");
  assert.equal(told("", { one: "{n} of {all} are new.", values: { n: 1, all: 2 } }), "1 of 2 are new.");
});
