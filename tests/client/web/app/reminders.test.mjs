// Reminders of tournaments: due five minutes before, once, and also after the page was loaded again.

import assert from "node:assert/strict";
import { test } from "node:test";

import { reminders, setReminder, SOON_MS, takeDue } from "../../../../client/web/app/reminders.js";
import { Storage } from "../../../../client/web/app/storage.js";
import { untilText } from "../../../../client/web/models/time.js";

test("a reminder comes once, shortly before the start, and not after it", () => {
  /** @type {Record<string, string>} */
  const kept = {};
  const browser = /** @type {any} */ ({
    getItem: (/** @type {string} */ key) => kept[key] ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ text) => void (kept[key] = text),
  });
  const storage = new Storage(() => browser);
  setReminder(storage, "t1", { name: "Arena", starts: 1_000_000 });
  setReminder(storage, "t2", { name: "Cup", starts: 10_000 });
  setReminder(storage, "t3", { name: "Open", starts: 1_000_000 });
  setReminder(storage, "t3", null);
  assert.deepEqual(takeDue(storage, 20_000), []); // t2 has begun while the page was closed
  const loaded = new Storage(() => browser);
  assert.deepEqual(Object.keys(reminders(loaded)), ["t1"]);
  assert.deepEqual(takeDue(loaded, 1_000_000 - SOON_MS).map(([id, { name }]) => [id, name]), [["t1", "Arena"]]);
  assert.deepEqual(takeDue(storage, 1_000_000 - SOON_MS), []);
});

test("the time until a start is written in the largest unit that fits", () => {
  assert.deepEqual(
    [-5, 90_000, 300_000, 7 * 3_600_000, 50 * 3_600_000].map((ms) => untilText(ms, "en")),
    ["in 1 second", "in 90 seconds", "in 5 minutes", "in 7 hours", "in 2 days"],
  );
});
