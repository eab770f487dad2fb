// Replay the recorded sessions: the page must do exactly what the client in Python does.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { Replay, merged } from "../../../node/session-replay.mjs";

const FOLDER = new URL("../sessions/recorded/", import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".jsonl"));

for (const name of FILES) {
  test(`the page follows ${name}`, () => {
    const lines = readFileSync(new URL(name, FOLDER), "utf8").trim().split("\n");
    const replay = new Replay();
    let expected = {};
    for (const [index, line] of lines.entries()) {
      const step = JSON.parse(line);
      expected = merged(expected, step);
      const { dump, ...did } = replay.step(step);
      const { id, sent, updates, answers } = step;
      const wanted = JSON.parse(JSON.stringify({ id, sent, updates, answers }));
      assert.deepEqual(did, wanted, `${name}, line ${index + 1}: ${step.do}`);
      assert.deepEqual(dump, expected, `${name}, line ${index + 1}: ${step.do}`);
    }
  });
}
