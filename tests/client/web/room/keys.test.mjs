// The list of keys in a room: those that work in this match.

import assert from "node:assert/strict";
import { test } from "node:test";

import { RoomPermissions } from "../../../../client/web/models/room/permissions.js";
import { roomKeys } from "../../../../client/web/pages/room/keys.js";
import { ANN, BOT, finish, makeModel, makeRoom } from "./rooms.mjs";

const ALWAYS = [",/Page Up", "./Page Down", "Home/End", "Escape", "M", "Enter"];

/**
 * Return the keys that are listed in the room of a mirror besides those that work in every room.
 * @param {object} mirror
 * @param {{features: boolean, policy: boolean}} offers
 */
function listed(mirror, offers = { features: true, policy: true }) {
  const model = makeModel(mirror);
  const may = new RoomPermissions(model, offers);
  may.advice = true;
  const keys = roomKeys({ model, may }).map((each) => each.keys);
  assert.deepEqual(keys.filter((key) => ALWAYS.includes(key)), ALWAYS);
  return keys.filter((key) => !ALWAYS.includes(key)).join("");
}

test("only keys that do something in this match are listed", () => {
  assert.equal(listed(makeRoom()), "UC");
  assert.equal(listed(makeRoom({ players: [ANN, BOT] })), "HUCN");
  assert.equal(listed(makeRoom({ players: [ANN, BOT] }), { features: false, policy: false }), "HU");
  const rated = makeRoom();
  rated.settings = { ...rated.settings, rated: true };
  assert.equal(listed(rated), "");
  finish(rated, "resigned", 0);
  assert.equal(listed(rated), "CN");
  const watched = makeRoom();
  watched.seat = null;
  assert.equal(listed(watched), "SpaceCN");
});
