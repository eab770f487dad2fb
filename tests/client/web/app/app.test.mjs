// Test the parts of the app that need no browser: routes, storage, settings, messages, topics, games.

import assert from "node:assert/strict";
import { test } from "node:test";

const WEB = "../../../../client/web";
const { match } = await import(`${WEB}/app/routes.js`);
const { Storage } = await import(`${WEB}/app/storage.js`);
const { Settings } = await import(`${WEB}/app/settings.js`);
const { LEAST_S, Notices, SHOWN_S } = await import(`${WEB}/app/notices.js`);
const { Topics } = await import(`${WEB}/app/topics.js`);
const { Games } = await import(`${WEB}/app/catalogue.js`);
const { runningGames, endedLine } = await import(`${WEB}/app/elsewhere.js`);
const { clockFace } = await import(`${WEB}/models/clock-face.js`);

/** A browser's storage; `full` makes it refuse everything new. */
function browserStorage(full = false) {
  const kept = new Map();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    removeItem: (key) => kept.delete(key),
    setItem: (key, value) => {
      if (full) throw new Error("QuotaExceededError");
      kept.set(key, value);
    },
  };
}

test("each address has its page", () => {
  const found = (path) => [match(path).route.name, match(path).params];
  assert.deepEqual(found("/"), ["lobby", {}]);
  assert.deepEqual(found("/room/abc_-1"), ["room", { id: "abc_-1" }]);
  assert.deepEqual(found("/player/O'Neil%20%C3%A9/"), ["player", { name: "O'Neil é" }]);
  assert.deepEqual(found("/watch"), ["wall", {}]);
  for (const wrong of ["/room", "/room/", "/room/a/b", "/nothing", "/player/%ff", "/rooms/x"]) {
    assert.equal(match(wrong).route.name, "unknown", wrong);
  }
});

test("values stay in the browser, and bad ones count as none", () => {
  const browser = browserStorage();
  new Storage(() => browser).set("a", { b: 1 });
  assert.deepEqual(new Storage(() => browser).get("a"), { b: 1 });
  browser.kept.set("doublecross.a", "{");
  assert.equal(new Storage(() => browser).get("a"), undefined);
});

test("without the browser's storage values last as long as the page", () => {
  const denied = () => {
    throw new Error("SecurityError");
  };
  for (const storage of [new Storage(denied), new Storage(() => browserStorage(true))]) {
    storage.set("a", 1);
    assert.equal(storage.get("a"), 1);
    storage.set("a", undefined);
    assert.equal(storage.get("a"), undefined);
  }
});

test("settings are kept and applied to the document", () => {
  const browser = browserStorage();
  const settings = new Settings(new Storage(() => browser));
  const root = { dataset: {} };
  const system = Object.assign(new EventTarget(), { matches: false });
  const contrast = Object.assign(new EventTarget(), { matches: false });
  settings.applyTo(root, system, contrast);
  assert.deepEqual(root.dataset, { theme: "light" });
  system.matches = true;
  system.dispatchEvent(new Event("change"));
  assert.deepEqual(root.dataset, { theme: "dark" });
  contrast.matches = true;
  contrast.dispatchEvent(new Event("change"));
  assert.deepEqual(root.dataset, { theme: "contrast" });
  settings.theme.value = "light";
  assert.deepEqual(root.dataset, { theme: "light" });
  settings.theme.value = "dark";
  settings.palette.value = "safe";
  settings.sound.value = false;
  assert.deepEqual(root.dataset, { theme: "dark", palette: "safe" });
  const others = new EventTarget();
  const again = new Settings(new Storage(() => browser, others));
  assert.deepEqual([again.theme.value, again.palette.value, again.sound.value], ["dark", "safe", false]);
  settings.sound.value = true;
  others.dispatchEvent(Object.assign(new Event("storage"), { key: "doublecross.settings.sound" }));
  assert.equal(again.sound.value, true);
  browser.kept.set("doublecross.settings.theme", '"pink"');
  assert.equal(new Settings(new Storage(() => browser)).theme.value, "auto");
});

test("one message is shown at a time: by rank, then by age", () => {
  const notices = new Notices();
  notices.add("first", 0);
  notices.add("urgent", 0, { rank: 1, actions: [{ title: "Do", run: () => {} }], key: "u" });
  assert.equal(notices.first.text, "urgent");
  notices.add("urgent again", 0, { rank: 1, actions: [{ title: "Do", run: () => {} }], key: "u" });
  assert.equal(notices.all.value.length, 2);
  notices.tick(SHOWN_S + 1);
  assert.deepEqual(notices.all.value.map((each) => each.text), ["urgent again"]);
  notices.close("u");
  assert.equal(notices.first, undefined);
});

test("a message that passes by itself makes way soon for the next one, which is shown as long", () => {
  const notices = new Notices();
  for (const text of ["first", "second", "third"]) notices.add(text, 0);
  notices.add("wrong", 0, { kind: "bad" });
  /** @param {number} now */
  const at = (now) => {
    notices.tick(now);
    return notices.first?.text;
  };
  assert.deepEqual([1, LEAST_S, 2 * LEAST_S, 3 * LEAST_S].map(at), ["first", "second", "third", "wrong"]);
  notices.add("fourth", 3 * LEAST_S);
  assert.equal(at(3 * LEAST_S + SHOWN_S - 0.1), "wrong");
  assert.equal(at(3 * LEAST_S + SHOWN_S), undefined);
});

test("a topic grows for those who read it", () => {
  const topics = new Topics();
  topics.grow("unread");
  const lobby = topics.of("lobby");
  topics.grow("lobby");
  topics.growAll();
  assert.equal(lobby.value, 2);
  assert.equal(topics.of("lobby"), lobby);
});

const GAMES = {
  games: [
    { key: "boxes", title: "Boxes", parameters: [{ name: "rows", default: 5 }, { name: "cols", default: 5 }] },
    { key: "heaps", title: "Heaps", parameters: ["a", "b", "c"].map((name) => ({ name, default: 1 })) },
  ],
};

test("the games are fetched once, and again after a failure", async () => {
  const asked = [];
  let works = false;
  const games = new Games(async (path) => {
    asked.push(path);
    if (!works) throw new Error("The server is away.");
    return GAMES;
  });
  await assert.rejects(games.catalogue());
  works = true;
  assert.equal(await games.catalogue(), GAMES);
  await games.catalogue();
  assert.deepEqual(asked, ["/api/catalogue", "/api/catalogue"]);
});

test("a game is named with its size, as the server writes it", async () => {
  const games = new Games(async (path, params) =>
    path === "/api/catalogue" ? GAMES : { title: `Heaps ${params.size.replaceAll("x", "-")}` },
  );
  assert.equal(games.title({ game: "boxes", params: {} }), "boxes");
  await games.catalogue();
  assert.equal(games.title({ game: "boxes", params: { rows: 3 } }), "Boxes 3 × 5");
  assert.equal(games.title({ game: "heaps", params: { c: 7 } }), "Heaps");
  await games.geometry("heaps", { c: 7 });
  await Promise.resolve();
  assert.equal(games.title({ game: "heaps", params: { c: 7 } }), "Heaps 1-1-7");
  assert.equal(games.title({ game: "new", params: {} }), "new");
});

/** A room as the mirror has it. */
function room(id, more = {}) {
  return {
    room: id,
    seat: 0,
    status: "playing",
    toMove: 0,
    players: [{ name: "me" }, { name: "Bob" }],
    clock: { ms: null },
    settings: { time: { base_ms: null, move_ms: null } },
    scores: [3, 6],
    result: null,
    ...more,
  };
}

test("matches elsewhere: one's turn first, then the least time", () => {
  const rooms = [
    room("theirs", { toMove: 1 }),
    room("slow", { clock: { ms: [90_000, 1] } }),
    room("fast", { clock: { ms: [9_000, 1] } }),
    room("watched", { seat: null }),
    room("over", { status: "finished" }),
    room("here"),
    room("by days", { settings: { time: { base_ms: null, move_ms: 86_400_000 } } }),
  ];
  assert.deepEqual(
    runningGames(rooms, "here").map((each) => each.room),
    ["fast", "slow", "theirs"],
  );
});

test("the end of a match elsewhere is one sentence", () => {
  const result = { termination: "completed", winner: 1 };
  assert.equal(endedLine(room("r", { result })), "Your match against Bob is over: you lost, 3 : 6.");
  const aborted = { termination: "aborted", winner: null };
  assert.match(endedLine(room("r", { result: aborted })), /called off/);
  assert.equal(endedLine(room("r")), "");
});

test("a clock shows tenths when time is low, and rounds up", () => {
  assert.deepEqual(clockFace(65_001), { text: "1:06", low: false });
  assert.deepEqual(clockFace(3_599_001), { text: "1 h", low: false });
  assert.deepEqual(clockFace(18_730_000), { text: "5 h 12 min", low: false });
  assert.deepEqual(clockFace(187_200_000), { text: "2 days 4 h", low: false });
  assert.deepEqual(clockFace(9_901), { text: "0:10", low: true });
  assert.deepEqual(clockFace(1), { text: "0.1", low: true });
  assert.deepEqual(clockFace(-5), { text: "0.0", low: true });
});
