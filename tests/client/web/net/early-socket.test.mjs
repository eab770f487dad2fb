// The socket that is opened before the modules are there.

import assert from "node:assert/strict";
import { test } from "node:test";

import { withEarlySocket } from "../../../../client/web/net/early-socket.js";
import { fakeSockets } from "../../../node/fake-socket.mjs";

const URL = "ws://x/socket";

test("the first connection takes the early socket, and the next one opens its own", () => {
  const { FakeSocket, sockets } = fakeSockets();
  const early = Object.assign(new FakeSocket(URL, []), { readyState: 1 });
  const Socket = withEarlySocket({ WebSocket: FakeSocket, earlySocket: early });
  assert.equal(new Socket(URL, []), early);
  assert.notEqual(new Socket(URL, []), early);
  assert.equal(sockets.length, 2);
});

test("an early socket that is closed, or leads elsewhere, is not taken", () => {
  for (const [url, readyState] of [[URL, 3], ["ws://y/socket", 0]]) {
    const { FakeSocket } = fakeSockets();
    const early = Object.assign(new FakeSocket(url, []), { readyState });
    const Socket = withEarlySocket({ WebSocket: FakeSocket, earlySocket: early });
    assert.notEqual(new Socket(URL, []), early);
    assert.equal(early.closed, true);
  }
});
