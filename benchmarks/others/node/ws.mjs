/**
 * The same games on the library `ws` alone, with the messages of `colyseus.mjs`.
 *
 * `node ws.mjs broadcast FILE` commits each move to this database before it sends it. Without FILE
 * it stores nothing. It prints its addresses as one line of JSON and serves until SIGTERM.
 */
import { createServer } from "node:http";
import { pack, Unpackr } from "msgpackr";
import { WebSocketServer } from "ws";
import { Journal } from "./journal.mjs";
import { board, draw, refusal } from "./rules.mjs";

/** The first bytes of messages, as in Colyseus. */
const [JOIN, MESSAGE, STATE] = [10, 13, 14];
const journal = process.argv[3] ? new Journal(process.argv[3]) : null;
const unpackr = new Unpackr();
const rooms = new Map();

/** Make a message of a type with a value. */
const message = (type, value) => Buffer.concat([Buffer.from([MESSAGE]), pack(type), pack(value)]);

class Game {
  clients = [];
  match = 1;
  offers = new Set();

  constructor(id, { rows, cols }) {
    this.id = id;
    this.shape = board(rows, cols);
    this.boxes = rows * cols;
    this.begin();
  }

  /** Clear the board; the players take turns to begin. */
  begin() {
    this.ply = 0;
    this.turn = (this.match - 1) % 2;
    this.scores = [0, 0];
    this.edges = new Array(this.shape.edges).fill(0);
    this.owners = new Array(this.boxes).fill(0);
    this.offers.clear();
  }

  /** Let a client take the next seat; send it the empty board. */
  join(client) {
    const seat = this.clients.push(client) - 1;
    client.on("message", (data) => this.take(client, seat, data));
    client.send(Buffer.from([JOIN]));
    const arrays = [this.scores, this.edges, this.owners];
    const head = [0x80, this.ply, 0x81, this.turn, ...arrays.flatMap((_, at) => [0x82 + at, at + 1])];
    const cells = arrays.flatMap((each, at) => [255, at + 1, ...each.flatMap((cell, index) => [0x80, index, cell])]);
    client.send(Buffer.from([STATE, ...head, ...cells]));
  }

  take(client, seat, data) {
    if (data[0] !== MESSAGE) return;
    const [type, value] = unpackr.unpackMultiple(data.subarray(1));
    if (type === "move") this.move(client, seat, value);
    else if (type === "rematch") this.rematch(client, seat);
  }

  move(client, seat, edge) {
    const why = refusal(this, this.shape, seat, edge);
    if (why) return client.send(message("refused", why));
    const closed = draw(this, this.shape, edge);
    const said = [this.ply, edge, seat, closed, this.turn];
    if (journal) journal.keep(this.id, this.match, said, () => this.broadcast("move", said));
    else this.broadcast("move", said);
  }

  rematch(client, seat) {
    if (this.ply < this.shape.edges) return client.send(message("refused", "The match is not over."));
    this.offers.add(seat);
    if (this.offers.size < 2) return;
    this.match += 1;
    this.begin();
    this.broadcast("begin", this.turn);
  }

  broadcast(type, value) {
    const data = message(type, value);
    for (const client of this.clients) client.send(data);
  }
}

const http = createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part));
  request.on("end", () => {
    const [, , how, found] = request.url.split("/");
    const id = how === "create" ? String(rooms.size) : found;
    if (how === "create") rooms.set(id, new Game(id, JSON.parse(body)));
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ processId: "ws", roomId: id, sessionId: "0" }));
  });
});
const server = new WebSocketServer({ server: http, perMessageDeflate: false });
server.on("connection", (client, request) => {
  client.on("error", () => {});
  rooms.get(new URL(request.url, "ws://x").pathname.split("/")[2]).join(client);
});
http.listen(0, "127.0.0.1", () => {
  const at = `127.0.0.1:${http.address().port}`;
  console.log(JSON.stringify({ ws: `ws://${at}`, http: `http://${at}` }));
});
process.on("SIGTERM", () => process.exit(0));
