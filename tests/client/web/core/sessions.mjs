// Replay the recorded sessions: the page must do exactly what the client in Python does.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { Replay } from "../../../node/session-replay.mjs";

const FOLDER = pathToFileURL(`${process.env.RECORDED}/`);
const FILES = readdirSync(FOLDER);

for (const name of FILES) {
  test(`the page follows ${name}`, () => {
    const lines = readFileSync(new URL(name, FOLDER), "utf8").trim().split("\n");
    const replay = new Replay();
    for (const [index, line] of lines.entries()) {
      const step = JSON.parse(line);
      const { id, sent, updates, answers, dump } = step;
      const wanted = JSON.parse(JSON.stringify({ id, sent, updates, answers, dump }));
      assert.deepEqual(replay.step(step), wanted, `${name}, line ${index + 1}: ${step.do}`);
    }
  });
}
