// Check the words about accounts and the forms of the administration.

import assert from "node:assert/strict";
import { test } from "node:test";

import { deviceLabel, passwordProblems, scopesOf, tokenLine, wayBack } from "../../../../client/web/models/account.js";
import * as actions from "../../../../client/web/models/admin-actions.js";
import { banEnd, durationText, figures, hoursTitle, versionsDiffer } from "../../../../client/web/models/admin.js";

// Older versions of node have none.
globalThis.navigator ??= { languages: ["en"] };

test("a login has the name of the browser and of the system", () => {
  const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36";
  assert.equal(deviceLabel(chrome), "Chrome, Linux");
  assert.equal(deviceLabel(`${chrome.replace("X11; Linux", "Linux; Android 14")} Edg/120.0`), "Edge, Android");
  assert.equal(deviceLabel("Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Safari/604.1"), "Safari, iPhone");
  assert.equal(deviceLabel("curl"), "browser");
});

test("a new password has to be typed twice", () => {
  assert.match(passwordProblems("", "").password, /Type a password/);
  assert.match(passwordProblems("a long one", "").again, /once more/);
  assert.match(passwordProblems("a long one", "another").again, /differ/);
  assert.deepEqual(passwordProblems("a long one", "a long one"), { password: "", again: "" });
});

test("only an address of this page is a way back", () => {
  assert.equal(wayBack("#/room/abc#code"), "/room/abc#code");
  assert.equal(wayBack("#/me?x=1"), "/me?x=1");
  for (const wrong of ["", "#", "#main", "#//evil.example", "#/\\evil.example", "#https://evil.example"]) {
    assert.equal(wayBack(wrong), "", wrong);
  }
});

test("a token says what it allows and when it ends; a login does not list its rights", () => {
  const token = {
    token_id: "t", player: "Ann", kind: "api", label: "script", scopes: ["play", "organise"],
    created_ms: 0, used_ms: 0, expires_ms: null, current: false,
  };
  assert.match(tokenLine(token), /^Play, Organise tournaments · made .* · last used /);
  assert.doesNotMatch(tokenLine(token), /ends/);
  assert.match(tokenLine({ ...token, kind: "session", expires_ms: 1 }), /^made .* · ends /);
  assert.deepEqual(scopesOf(true, true), ["bot", "organise"]);
  assert.deepEqual(scopesOf(false, false), ["play", "organise"]);
  assert.ok(scopesOf(false, true).includes("admin"));
});

test("times are in their largest units", () => {
  assert.equal(durationText(59.9), "59 s");
  assert.equal(durationText(61), "1 min");
  assert.equal(durationText(3600 * 5 + 120), "5 h 2 min");
  assert.equal(durationText(86_400 * 3 + 7200), "3 d 2 h");
  assert.deepEqual(["1", "24", "168", ""].map(hoursTitle), ["1 hour", "1 day", "7 days", "For good"]);
  assert.equal(banEnd({ until_ms: null }), "for good");
  assert.match(banEnd({ until_ms: 0 }), /^until /);
});

test("the overview leaves out empty counters and sorts the others", () => {
  const overview = {
    version: "1.0", epoch: "e", uptime_s: 61, draining: false, connections: 3, players: 2, rooms: 1,
    games_in_play: 1, tournaments_running: 0, moves: 1234, commits: 10, commit_p50_ms: 1.26,
    commit_p99_ms: null, loop_lag_ms: 0.4, queues: {}, limit_hits: { messages: 1, names: 0, logins: 7 },
    refusals: {}, dropped: {}, bans: 0,
  };
  const found = figures(overview);
  assert.deepEqual(found.map(({ title }) => title), ["Now", "Since the start", "Limits that were hit"]);
  assert.deepEqual(found[2].facts, [{ label: "logins", value: "7" }, { label: "messages", value: "1" }]);
  const values = Object.fromEntries(found[1].facts.map(({ label, value }) => [label, value]));
  assert.equal(values["Commit time, median"], "1.3 ms");
  assert.equal(values["Commit time, 99 %"], "–");
  assert.equal(values["Moves"], "1,234");
  assert.equal(versionsDiffer(overview), false);
});

test("the overview of a cluster has each node's version and says when they differ", () => {
  const node = { connections: 1, rooms: 0, moves: 0 };
  const overview = {
    version: "1.0", epoch: "e", uptime_s: 61, draining: false, connections: 3, players: 2, rooms: 1,
    games_in_play: 1, tournaments_running: 0, moves: 1234, commits: 10, commit_p50_ms: 1.26,
    commit_p99_ms: 2, loop_lag_ms: 0.4, queues: {}, limit_hits: {}, refusals: {}, dropped: {}, bans: 0,
    nodes: [{ ...node, name: "a", version: "1.0", leader: true }, { ...node, name: "b", version: "1.0", leader: false }],
  };
  const nodes = () => figures(overview).find(({ title }) => title === "Nodes").facts;
  assert.deepEqual(nodes().map(({ label, value }) => `${label}: ${value}`), ["a: version 1.0, the leader", "b: version 1.0"]);
  assert.equal(versionsDiffer(overview), false);
  overview.nodes[1].version = "1.1";
  assert.equal(nodes()[1].value, "version 1.1");
  assert.equal(versionsDiffer(overview), true);
});

test("what cannot be undone asks for the name again", () => {
  const remove = actions.remove("Ann");
  assert.deepEqual(Object.keys(actions.problemsOf(remove, { confirm: "" })), ["confirm"]);
  assert.deepEqual(Object.keys(actions.problemsOf(remove, { confirm: "Anna" })), ["confirm"]);
  assert.deepEqual(actions.problemsOf(remove, { confirm: "Ann " }), {});
  assert.deepEqual(remove.body({ confirm: "Ann " }), { player: "Ann", confirm: "Ann" });
});

test("actions send what was chosen", () => {
  assert.deepEqual(actions.ban("Ann").body({ hours: "24", reason: " rude " }), { player: "Ann", hours: 24, reason: "rude" });
  assert.equal(actions.ban("Ann").body({ hours: "", reason: "" }).hours, null);
  const network = actions.banNetwork();
  assert.match(actions.problemsOf(network, { network: " " }).network, /Type the address/);
  assert.deepEqual(network.body({ network: "192.0.2.7 ", hours: "1", reason: "" }), { network: "192.0.2.7", hours: 1, reason: "" });
  assert.deepEqual(actions.announce().body({ text: " Hello ", minutes: "10" }), { text: "Hello", minutes: 10 });
  assert.deepEqual(actions.resetPassword("Ann").body({}), { player: "Ann" });
  assert.deepEqual(actions.drain(true).body({}), { on: true });
  assert.deepEqual(actions.grant("Ann", false).body({}), { player: "Ann", admin: false });
});
