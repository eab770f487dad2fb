// Phrases: typed, heard, muted, and forgotten, in a real room over a fake socket.

import assert from "node:assert/strict";
import { test } from "node:test";

import { PHRASES, phraseOf, RoomPhrases, SHOWN_S } from "../../../../client/web/models/room/phrases.js";
import { Commands } from "../../../../client/web/pages/room/commands.js";
import { RoomVisit } from "../../../../client/web/pages/room/visit.js";
import { ANN, snapshot } from "../../../node/server-messages.mjs";
import { Seat, settle } from "../app/seat.mjs";

globalThis.fetch = async () => new Response('{"positions": []}');

const BOT = { name: "easy", kind: "bot", engine: null };

async function sitting(changes = {}, top = {}) {
  const seat = new Seat();
  seat.welcome();
  const visit = new RoomVisit(seat.app, "r1", "");
  const end = visit.begin();
  seat.serve({ seat: 0, snapshot: snapshot(changes), ...top });
  await settle();
  const room = visit.state.value.room;
  const hear = (by, phrase, match = 1) =>
    seat.socket.tell({ type: "phrase_said", room: "r1", match, seat: by, phrase });
  const lines = () => [0, 1].map((each) => room.phrases.line(each, seat.app.now()));
  return { seat, room, end, hear, lines, commands: new Commands(room) };
}

test("a phrase is shown for some seconds, and the latest one counts", () => {
  const phrases = new RoomPhrases();
  assert.equal(phrases.line(1, 10), "");
  assert.equal(phrases.take(1, "oops", 10, false), "Oops!");
  phrases.take(1, "thanks", 12, false);
  assert.equal(phrases.line(1, 12 + SHOWN_S - 0.1), "Thank you!");
  assert.equal(phrases.line(1, 12 + SHOWN_S), "");
  assert.equal(phrases.take(1, "constructor", 30, false), "");
  assert.equal(phrases.line(1, 30), "");
});

test("each phrase can be typed by its words and by its name", () => {
  for (const [phrase, words] of Object.entries(PHRASES)) {
    assert.equal(phraseOf(words), phrase);
    assert.equal(phraseOf(` ${phrase.replace("_", " ").toUpperCase()} `), phrase);
  }
  for (const other of ["", "toString", "good", "hello you"]) assert.equal(phraseOf(other), null);
});

test("what is typed is said once, or the phrases are listed", async () => {
  const { seat, room, commands } = await sitting();
  seat.asked();
  assert.equal(commands.answer("Say  Good luck!"), "");
  const [{ id, ...said }] = seat.asked();
  assert.deepEqual(said, { type: "say_phrase", room: "r1", match: 1, phrase: "good_luck" });
  for (const line of ["say", "say no"]) {
    assert.match(commands.answer(line), /^Type say and one of these: Hello! Good luck! /);
  }
  assert.deepEqual(seat.asked(), []);
  const message = "You have said 5 phrases in a minute. Say the next one in 9 seconds.";
  seat.socket.tell({ type: "error", id, code: "rate_limited", message });
  await settle();
  assert.deepEqual(room.sentence(seat.app.now()), { text: message, kind: "wrong" });
  seat.socket.end();
  commands.answer("say oops");
  assert.match(room.sentence(seat.app.now()).text, /^No connection\. Say it again/);
  assert.match(commands.answer("help"), /say: one of a few phrases/);
});

test("bots and spectators have nothing to say", async () => {
  for (const room of [await sitting({ players: [ANN, BOT] }), await sitting({}, { seat: null })]) {
    assert.match(room.commands.answer("say hello"), /There is no move or command/);
  }
  const { room } = await sitting({}, { seat: null });
  assert.equal(room.may.phrasesHere, true);
});

test("phrases are announced, and muted ones neither shown nor announced", async () => {
  const { seat, room, hear, lines, end } = await sitting();
  const spoken = () => seat.app.spoken.value.text;
  hear(1, "thanks");
  assert.deepEqual([lines(), spoken()], [["", "Thank you!"], "Bob: Thank you!"]);
  hear(0, "oops");
  assert.deepEqual([lines()[0], spoken()], ["Oops!", "You: Oops!"]);
  hear(1, "hello", 2);
  hear(1, "of_a_newer_server");
  assert.deepEqual([lines(), spoken()], [["Oops!", "Thank you!"], "You: Oops!"]);
  room.mute(true);
  assert.deepEqual(lines(), ["Oops!", ""]);
  hear(1, "hello");
  hear(0, "have_fun");
  assert.deepEqual([lines(), spoken()], [["Have fun!", ""], "You: Have fun!"]);
  seat.app.settings.mutePhrases.value = true;
  room.mute(false);
  hear(1, "hello");
  assert.equal(lines()[1], "Hello!");
  end();
  hear(1, "oops");
  assert.equal(lines()[1], "Hello!");
});

test("the setting mutes every room, and the next match begins without words", async () => {
  const { seat, room, hear, lines } = await sitting();
  seat.app.settings.mutePhrases.value = true;
  assert.equal(room.muted, true);
  hear(1, "hello");
  assert.deepEqual(lines(), ["", ""]);
  room.mute(false);
  hear(1, "hello");
  room.model.mirror.match = 2;
  room.update();
  assert.deepEqual(lines(), ["", ""]);
});
