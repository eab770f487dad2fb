// Progress and settings are merged with the account, and nothing that changes meanwhile gets lost.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Merging } from "../../../../client/web/app/merging.js";
import { Settings } from "../../../../client/web/app/settings.js";
import { Storage } from "../../../../client/web/app/storage.js";
import { LessonProgress } from "../../../../client/web/models/learn/progress.js";

/** A server with accounts by their tokens, all with passwords; it merges lessons and settings only. */
class Accounts {
  lessons = { ann: [], bob: [] };
  settings = { ann: {}, bob: {} };
  asked = [];
  meanwhile = () => {};

  send = async (path, query, { token, body: { owner, lessons, settings } }) => {
    this.asked.push(owner);
    this.meanwhile();
    const merged = owner === null || owner === token;
    if (merged) {
      this.lessons[token] = [...new Set([...this.lessons[token], ...lessons.solved])].sort();
      for (const [name, [value, at]] of Object.entries(settings)) {
        if (at > (this.settings[token][name]?.[1] ?? -1)) this.settings[token][name] = [value, at];
      }
    }
    const rest = { puzzles: {}, solver: {}, levels: { "nim 5 easy": "1 0 0 W" } };
    return { account_id: token, merged, lessons: { solved: this.lessons[token] }, settings: this.settings[token], ...rest };
  };
}

function browser(accounts, token, kept = new Map()) {
  const storage = new Storage(() => ({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => kept.set(key, text),
    removeItem: (key) => kept.delete(key),
  }));
  const app = { storage, identity: { token }, settings: new Settings(storage), topics: { grow: () => {} } };
  return { app, kept, progress: new LessonProgress(storage), merging: new Merging(app, accounts.send) };
}

const solved = ({ app }) => app.storage.get("lessons").solved;

test("two browsers end with the same progress and the newer settings", async () => {
  const accounts = new Accounts();
  const [laptop, phone] = [browser(accounts, "ann"), browser(accounts, "ann")];
  laptop.progress.add("turns", "a");
  phone.progress.add("loops", "b");
  phone.app.settings.theme.value = "dark";
  // While the server answers, something else is solved here.
  accounts.meanwhile = () => {
    accounts.meanwhile = () => {};
    phone.progress.add("chains", "c");
  };
  await phone.merging.run();
  await laptop.merging.run();
  assert.deepEqual(solved(laptop), ["chains/c", "loops/b", "turns/a"]);
  assert.equal(laptop.app.settings.theme.value, "dark");
  assert.equal(laptop.app.storage.get("ladder").results["nim 5 easy"], "1 0 0 W");
  laptop.app.settings.theme.value = "light";
  laptop.app.storage.set("settingTimes", { theme: Date.now() + 5 });
  await laptop.merging.run();
  await phone.merging.run();
  assert.equal(phone.app.settings.theme.value, "light");
  // A value that this page does not know changes nothing.
  accounts.settings.ann.theme = ["pink", Date.now() + 99];
  await phone.merging.run();
  assert.equal(phone.app.settings.theme.value, "light");
});

test("what belongs to another account waits until its player is back", async () => {
  const accounts = new Accounts();
  const ann = browser(accounts, "ann");
  await ann.merging.run();
  ann.progress.add("turns", "a");
  const bob = browser(accounts, "bob", ann.kept);
  await bob.merging.run();
  assert.deepEqual([solved(bob), accounts.lessons], [[], { ann: [], bob: [] }]);
  bob.progress.add("loops", "b");
  await bob.merging.run();
  const again = browser(accounts, "ann", ann.kept);
  await again.merging.run();
  assert.deepEqual(accounts.lessons, { ann: ["turns/a"], bob: ["loops/b"] });
  assert.deepEqual(solved(again), ["turns/a"]);
});
