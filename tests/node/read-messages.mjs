// Read messages as the page does. Standard input has one JSON text in each line; standard output
// gets a JSON list: the message with all its fields, "unknown", or "unreadable" for each.

import { readFileSync } from "node:fs";

import { readMessage } from "../../client/web/core/messages.js";

const found = readFileSync(0, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => {
    const read = readMessage(line);
    return read === null ? "unknown" : "message" in read ? read.message : "unreadable";
  });
process.stdout.write(JSON.stringify(found));
