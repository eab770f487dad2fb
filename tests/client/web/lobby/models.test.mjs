// Test the models of the lobby: forms, times, sizes, names, invitations, and the rows of its lists.

import assert from "node:assert/strict";
import { test } from "node:test";

const WEB = "../../../../client/web";
const forms = await import(`${WEB}/models/lobby/forms.js`);
const times = await import(`${WEB}/models/lobby/time.js`);
const sizes = await import(`${WEB}/models/lobby/sizes.js`);
const names = await import(`${WEB}/models/lobby/names.js`);
const invitations = await import(`${WEB}/models/lobby/invitation.js`);
const addresses = await import(`${WEB}/models/addresses.js`);
const model = await import(`${WEB}/models/lobby/model.js`);
const levels = await import(`${WEB}/models/lobby/levels.js`);
const alone = await import(`${WEB}/models/lobby/alone.js`);
const { bestLive } = await import(`${WEB}/models/lobby/best.js`);
const { waitLine } = await import(`${WEB}/models/lobby/wait.js`);
const followed = await import(`${WEB}/models/lobby/followed.js`);
const offers = await import(`${WEB}/models/lobby/offers.js`);

const BOXES = {
  key: "dots-and-boxes",
  title: "Dots and Boxes",
  parameters: [
    { name: "rows", label: "Rows", low: 1, high: 10, default: 5 },
    { name: "cols", label: "Columns", low: 1, high: 10, default: 5 },
  ],
};
const HEAPS = {
  key: "nim",
  title: "Nim",
  parameters: ["a", "b", "c"].map((name) => ({ name, label: name, low: 0, high: 9, default: 3 })),
};
const CATALOGUE = { games: [BOXES, HEAPS] };
const NO_CLOCK = { base_ms: null, increment_ms: 0, move_ms: null };
const title = ({ game }) => game;
const human = (name) => ({ name, kind: "human", engine: null });
const bot = (name, engine) => ({ name, kind: "bot", engine: { name: engine, version: "1" } });
const settings = (more = {}) => ({
  game: "dots-and-boxes",
  params: { rows: 5, cols: 5 },
  opening: [], start: [],
  time: NO_CLOCK,
  rated: false,
  evaluation: false,
  ...more,
});

test("a form begins with the first game and the usual time", () => {
  const fields = forms.fieldsFrom(undefined, CATALOGUE);
  const { settings: read } = forms.readSettings(fields, CATALOGUE);
  assert.deepEqual(read, settings({ time: { base_ms: 300_000, increment_ms: 3_000, move_ms: null } }));
  assert.equal(forms.seatOf(fields), null);
});

test("kept fields come back, and unknown ones are replaced", () => {
  const kept = {
    ...forms.fieldsFrom({ game: "nim", time: "0/15", start: "me" }, CATALOGUE),
    sizes: { nim: { a: "7" }, chess: { rows: "8" } },
  };
  const again = forms.fieldsFrom(JSON.parse(JSON.stringify(kept)), CATALOGUE);
  assert.equal(again.game, "nim");
  assert.deepEqual(again.sizes, { nim: { a: "7" } });
  assert.equal(forms.seatOf(again), 0);
  const { settings: read } = forms.readSettings(again, CATALOGUE);
  assert.deepEqual(read.params, { a: 7, b: 3, c: 3 });
  assert.equal(read.time.move_ms, 15_000);
  for (const broken of [null, 5, "x", [], { game: 7, sizes: [1], time: {}, start: "north" }]) {
    assert.equal(forms.fieldsFrom(broken, CATALOGUE).game, "dots-and-boxes");
  }
});

test("a form gives days for each move", () => {
  const fields = forms.fieldsFrom({ time: "days", days: "14" }, CATALOGUE);
  const { time } = forms.readSettings(fields, CATALOGUE).settings;
  assert.deepEqual(time, { base_ms: null, increment_ms: 0, move_ms: 14 * 86_400_000 });
  const again = forms.fieldsOf({ game: "dots-and-boxes", time });
  assert.deepEqual([again.time, again.days], ["days", "14"]);
});

test("each wrong field of a form has a sentence", () => {
  let fields = forms.fieldsFrom({ time: "custom", minutes: "0", added: "x", move: "" }, CATALOGUE);
  fields = forms.withSize(forms.withSize(fields, "rows", "11"), "cols", "4.5");
  const { problems } = forms.readSettings(fields, CATALOGUE);
  assert.deepEqual(Object.keys(problems).sort(), ["added", "minutes", "size_cols", "size_rows"]);
  assert.equal(problems.size_rows, "Rows: a whole number from 1 to 10.");
});

test("a time has a clock, or a limit for each move", () => {
  const read = (minutes, added, move) => times.readTime({ minutes, added, move });
  assert.deepEqual(read("1,5", "", "").time, { base_ms: 90_000, increment_ms: 0, move_ms: null });
  assert.deepEqual(read("", "", "0.5").time, { base_ms: null, increment_ms: 0, move_ms: 500 });
  assert.match(read("", "", "").problems.minutes, /choose no clock/);
  assert.match(read("", "3", "").problems.added, /minutes too/);
  assert.match(read("1e3", "", "").problems.minutes, /number above 0/);
  assert.equal(times.timeText(NO_CLOCK), "unlimited");
  assert.equal(times.timeText({ base_ms: 60_000, increment_ms: 500, move_ms: 10_000 }), "60+0.5/10");
});

test("a size has a number for each parameter", () => {
  for (const wrong of ["11x11", "5", "5x5x5", "x", "-1x2"]) assert.equal(sizes.readSize(BOXES, wrong), null);
  assert.deepEqual(sizes.readSize(BOXES, "3x4"), { rows: 3, cols: 4 });
});

test("a guest gets a name that the rules for names allow", () => {
  for (const random of [0, 0.5, 0.999999]) {
    assert.equal(names.nameProblem(names.guestName(() => random)), "");
  }
});

test("names that the server refuses get a sentence at once", () => {
  for (const good of ["Ann", "Zoë", "O'Neil", "A.B.", "x+", "李雷", "a b"]) {
    const wrong = good === "A.B.";
    assert.equal(names.nameProblem(good) !== "", wrong, good);
  }
  for (const bad of ["", " x", "a  b", "<b>", "Ａ", "x".repeat(33), "a\u0000", "a/b", "-a"]) {
    assert.notEqual(names.nameProblem(bad), "", bad);
  }
});

test("a room can be given by its name, its name and code, or its link", () => {
  const read = invitations.readInvitation;
  assert.deepEqual(read(" abc ", " xyz "), { room: "abc", code: "xyz" });
  assert.deepEqual(read("abc xyz", ""), { room: "abc", code: "xyz" });
  assert.deepEqual(read("http://host:1/room/abc#x%20z", ""), { room: "abc", code: "x z" });
  assert.deepEqual(read("/room/abc", "xyz"), { room: "abc", code: "xyz" });
  assert.equal(addresses.roomPath("abc", "x z"), "/room/abc#x%20z");
  assert.deepEqual(Object.keys(invitations.invitationProblems({ room: "", code: "" })), ["room"]);
  assert.deepEqual(
    Object.keys(invitations.invitationProblems({ room: "a/b", code: "x".repeat(65) })),
    ["room", "code"],
  );
});

test("players are ordered: this one, people, levels, other bots", () => {
  const players = [bot("zed", "mcts"), bot("hard", "hard"), human("bob"), bot("easy-2", "easy"), human("Ann"), human("me")];
  const rooms = [{ room: "r", settings: settings(), status: "playing", players: [human("bob"), null] }];
  const ratings = [
    { player: "bob", game: "a", size: "1", rating: 1600.4, deviation: 50, games: 9 },
    { player: "bob", game: "b", size: "1", rating: 1100, deviation: 50, games: 2 },
    { player: "Ann", game: "a", size: "1", rating: 1500, deviation: 300, games: 1 },
  ];
  const rows = model.playerRows(players, rooms, ratings, "me");
  assert.deepEqual(rows.map((row) => row.name), ["me", "Ann", "bob", "easy-2", "hard", "zed"]);
  assert.deepEqual(rows.map((row) => row.rating), ["", "1500?", "1600", "", "", ""]);
  assert.deepEqual(rows.map((row) => row.about), ["", "", "", "level 1 of 5", "level 4 of 5", "mcts 1"]);
  assert.deepEqual(rows.filter((row) => row.playing).map((row) => row.name), ["bob"]);
});

test("rooms of others are listed, those first that wait", () => {
  const room = (id, status, ...players) => ({ room: id, status, settings: settings(), players: [...players, null, null].slice(0, 2) });
  const rooms = [room("f", "finished", human("b"), human("a")), room("p", "playing", human("a"), bot("b", "x")), room("w", "waiting", human("a")), room("m", "playing", human("me"), human("a"))];
  const lobby = { players: new Map(), seeks: new Map(), rooms: new Map(rooms.map((each) => [each.room, each])) };
  assert.equal(model.countsLine(lobby, "me"), "0 players, 0 offers, 2 games");
  const rows = model.roomRows(rooms, "me", title);
  assert.deepEqual(rows.map((row) => [row.room, row.waits]), [["w", true], ["p", false]]);
});

test("own offers are listed until they are withdrawn", () => {
  const seek = { offer: "s", request: { type: "seek", settings: settings() }, withdrawn: false };
  const sent = { offer: "c", request: { type: "challenge", player: "bob", settings: settings({ rated: true }) }, withdrawn: false };
  const waiting = { room: "r", seat: 0, status: "waiting", settings: settings() };
  const lines = model.ownLines([waiting, { ...waiting, seat: null }], [seek, sent, { ...seek, withdrawn: true }], title);
  assert.deepEqual(lines.map((line) => line.kind), ["waiting", "seek", "challenge"]);
  assert.equal(lines[2].text, "Waiting for bob to answer: dots-and-boxes, rated · no clock");
});

test("levels go by the engine, not by the name", () => {
  const online = levels.levelsOnline([bot("easy", "random"), bot("perfect-2", "perfect"), bot("perfect", "perfect"), bot("Kim", "easy")], "me");
  assert.deepEqual(online.map((each) => [each.level, each.player.name]), [["easy", "Kim"], ["perfect", "perfect"]]);
});

test("a busy server's lists say that they are short", () => {
  assert.equal(model.moreLine(undefined), "");
  assert.match(model.moreLine(1350), /newest of 1.?350/);
});

test("an offer that ended has a sentence, unless the person ended it", () => {
  const mine = { mine: true, other: "Bob" };
  const theirs = { mine: false, other: "Bob" };
  assert.equal(offers.overLine(mine, "declined", "Busy."), "Bob declined your challenge. Busy.");
  assert.equal(offers.overLine(mine, "cancelled", ""), "");
  assert.equal(offers.overLine(theirs, "cancelled", ""), "Bob took the challenge back.");
  assert.equal(offers.overLine({ mine: true, other: "" }, "expired", ""), "Your offer has ended.");
  assert.equal(offers.overLine(theirs, "declined", ""), "");
});

test("a person who is alone gets a level, until another person or an offer is there", () => {
  const lobby = (players, seeks = []) => ({
    players: new Map(players.map((each) => [each.name, each])),
    seeks: new Map(seeks.map((seek) => [seek.seek, seek])),
  });
  const bots = [bot("Max", "medium"), bot("Eve", "easy"), bot("other", "greedy")];
  const level = (...args) => alone.levelOpponent(...args)?.player.name;
  assert.equal(level(lobby([human("Ann"), ...bots]), "Ann", ""), "Eve");
  assert.equal(level(lobby([human("Ann"), ...bots]), "Ann", "medium"), "Max");
  assert.equal(level(lobby([human("Ann"), ...bots]), "Ann", "perfect"), "Eve");
  assert.equal(level(lobby([human("Ann"), bot("other", "greedy")]), "Ann", ""), undefined);
  assert.equal(level(lobby([human("Ann"), human("Bob"), ...bots]), "Ann", ""), undefined);
  const offer = (player) => [{ seek: "s1", player, settings: settings(), seat: null }];
  assert.equal(level(lobby([human("Ann"), ...bots], offer(bot("other", "greedy"))), "Ann", ""), undefined);
  assert.equal(level(lobby([human("Ann"), ...bots], offer(human("Ann"))), "Ann", ""), "Eve");
});

test("those whom one follows are listed with what they do, if they are here", () => {
  const rooms = [
    { room: "r1", status: "playing", players: [human("Bob"), null] },
    { room: "r2", status: "finished", players: [human("Cat"), null] },
  ];
  const lobby = {
    players: new Map(["Bob", "Cat", "Dan"].map((name) => [name, human(name)])),
    rooms: new Map(rooms.map((room) => [room.room, room])),
    cut: false,
  };
  const tie = (player, here, watching = null) => ({ player, kind: "human", here, watching });
  const follows = [tie("Bob", false), tie("Cat", true, "r2"), tie("Dan", true, "r1"), tie("Eve", true)];
  const rows = () => followed.followedRows(follows, lobby).map(({ player, doing, room }) => [player.name, doing, room]);
  const shown = [["Bob", "playing", "r1"], ["Cat", "here", ""], ["Dan", "watching", "r1"]];
  assert.deepEqual(rows(), shown);
  // A long lobby leaves players out.
  lobby.cut = true;
  assert.deepEqual(rows(), [...shown, ["Eve", "here", ""]]);
});

test("the link of an offer keeps what it offers, so that a form can begin with it", () => {
  const time = { base_ms: 90_000, increment_ms: 1_000, move_ms: null };
  const offered = { game: "nim", params: { heap_1: 3 }, opening: [], start: [], time, rated: true, evaluation: true };
  const link = addresses.seekPath("a/b", offered);
  assert.match(link, /^\/seek\/a%2Fb#game=nim&/);
  assert.deepEqual(addresses.offeredIn(link.slice(link.indexOf("#"))), offered);
  assert.equal(addresses.offeredIn("#x"), null);
  const { time: kind, minutes, added, sizes } = forms.fieldsOf(offered);
  assert.deepEqual([kind, minutes, added, sizes], ["custom", "1.5", "1", { nim: { heap_1: "3" } }]);
});

test("the best live game has the best players, then the closest score, then the most spectators", () => {
  const room = (id, first, second, status = "playing") => ({ room: id, status, settings: settings(), players: [human(first), second && human(second)] });
  const rooms = [room("a", "Ann", "Bob"), room("b", "Cy", "Dan"), room("c", "Eve", "Flo"), room("over", "Ann", "Bob", "finished"), room("alone", "Ann", null)];
  const rated = (player, rating) => [`${player}\n${settings().game}\n${Object.values(settings().params).join("x")}`, { player, rating }];
  const best = (ratings, seen = {}) => bestLive(rooms, new Map(ratings), (id) => seen[id])?.room;
  assert.equal(best([rated("Ann", 1400), rated("Dan", 1501)]), "b");
  // Equal players: the newest, then what is known of the score and of the spectators.
  assert.equal(best([]), "c");
  assert.equal(best([], { a: { scores: [3, 3], spectators: 1 }, c: { scores: [4, 3], spectators: 9 } }), "a");
  assert.equal(best([], { a: { scores: [3, 3], spectators: 1 }, b: { scores: [2, 2], spectators: 2 } }), "b");
  assert.equal(bestLive([], new Map()), null);
});

test("a quick match says who plays", () => {
  const wanted = settings();
  const lobby = { players: new Map([["me", human("me")], ["Ann", human("Ann")], ["b", bot("b", "easy")]]), seeks: new Map(), rooms: new Map() };
  assert.equal(waitLine(lobby, wanted, "me", { title: "easy" }), "Nobody else here: you play easy.");
  assert.equal(waitLine(lobby, wanted, "me", null), "1 person is here and may accept.");
  const waits = [8_400, 90_000].map((median_ms, at) => ({ settings: settings({ rated: at === 1 }), median_ms }));
  const usual = (more) => waitLine(lobby, settings(more), "me", null, waits);
  assert.equal(usual(), "1 person is here and may accept. Usually 8 seconds.");
  assert.equal(usual({ rated: true }), "1 person is here and may accept. Usually 2 minutes.");
  assert.equal(usual({ game: "nim" }), "1 person is here and may accept.");
  lobby.rooms.set("r", { status: "playing", players: [human("Ann"), bot("b", "easy")] });
  assert.equal(waitLine(lobby, wanted, "me", null), "All others play now. A bot may accept in seconds.");
  lobby.seeks.set("s", { player: human("Ann"), settings: settings() });
  assert.equal(waitLine(lobby, wanted, "me", null), "Ann waits: you begin at once.");
});
