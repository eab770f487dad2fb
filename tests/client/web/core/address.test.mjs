// Paths of the server, which may lie below a path of a proxy.

import assert from "node:assert/strict";
import { test } from "node:test";

import { inner, outer } from "../../../../client/web/address.js";

test("paths of the server are found below the path of a proxy", () => {
  assert.equal(outer("/room/x", "/games"), "/games/room/x");
  assert.equal(outer("#rules", "/games"), "#rules");
  assert.equal(inner("/games/room/x", "/games"), "/room/x");
  assert.equal(inner("/games", "/games"), "/");
  assert.equal(inner("/gamesters", "/games"), null);
  assert.deepEqual([outer("/room/x"), inner("/room/x")], ["/room/x", "/room/x"]);
});
