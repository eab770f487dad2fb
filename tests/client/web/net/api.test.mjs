// Check how often the server is asked over HTTP.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pauseMs } from "../../../../client/web/net/api.js";

test("a slow server is asked less often, and one that did not answer is asked again soon", () => {
  assert.equal(pauseMs(3000, 20, false), 3000);
  assert.equal(pauseMs(3000, 900, false), 9000);
  // A node of a cluster says after ten seconds that it does not reach the others.
  assert.equal(pauseMs(3000, 10_000, true), 3000);
});
