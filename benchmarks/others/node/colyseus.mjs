/**
 * Games of two clients on Colyseus: the server that Doublecross' benchmark compares itself with.
 *
 * `node colyseus.mjs patch` sends the patch of the state after each move. `node colyseus.mjs broadcast`
 * sends a message with the move instead. `node colyseus.mjs broadcast FILE` commits each move to this
 * database before it sends the message. It prints its addresses as one line of JSON and serves until
 * SIGTERM.
 */
import { createServer } from "node:http";
import { defineRoom, defineServer, Room } from "@colyseus/core";
import { schema, t } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { Journal } from "./journal.mjs";
import { board, draw, refusal } from "./rules.mjs";

const State = schema(
  {
    ply: t.uint8(),
    turn: t.uint8(),
    scores: t.array("uint8"),
    edges: t.array("uint8"),
    owners: t.array("uint8"),
  },
  "State",
);

/** Make an array of zeros. */
const zeros = (length) => new Array(length).fill(0);

class Game extends Room {
  maxClients = 2;
  // Patches and messages go out after each move, so nothing has to be sent at intervals.
  patchRate = null;
  seats = new Map();
  match = 1;
  offers = new Set();

  messages = {
    move: (client, edge) => this.move(client, edge),
    rematch: (client) => this.rematch(client),
  };

  onCreate({ rows, cols, mode }) {
    this.shape = board(rows, cols);
    this.patches = mode === "patch";
    this.state = new State();
    this.state.scores = zeros(2);
    this.state.edges = zeros(this.shape.edges);
    this.state.owners = zeros(rows * cols);
    this.begin();
  }

  onJoin(client) {
    this.seats.set(client.sessionId, this.seats.size);
  }

  /** Clear the board; the players take turns to begin. */
  begin() {
    const state = this.state;
    for (const cells of [state.scores, state.edges, state.owners])
      for (let at = 0; at < cells.length; at++) cells[at] = 0;
    state.ply = 0;
    state.turn = (this.match - 1) % 2;
    this.offers.clear();
  }

  move(client, edge) {
    const state = this.state;
    const seat = this.seats.get(client.sessionId);
    const why = refusal(state, this.shape, seat, edge);
    if (why) return client.send("refused", why);
    const closed = draw(state, this.shape, edge);
    const said = [state.ply, edge, seat, closed, state.turn];
    if (this.patches) this.broadcastPatch();
    else if (journal) journal.keep(this.roomId, this.match, said, () => this.broadcast("move", said));
    else this.broadcast("move", said);
  }

  rematch(client) {
    if (this.state.ply < this.shape.edges) return client.send("refused", "The match is not over.");
    this.offers.add(client.sessionId);
    if (this.offers.size < 2) return;
    this.match += 1;
    this.begin();
    if (this.patches) this.broadcastPatch();
    else this.broadcast("begin", this.state.turn);
  }
}

const mode = process.argv[2];
if (mode !== "patch" && mode !== "broadcast") {
  console.error("Say what the server sends after a move: patch or broadcast.");
  process.exit(2);
}
const journal = process.argv[3] ? new Journal(process.argv[3]) : null;
const http = createServer();
const server = defineServer({
  greet: false,
  // As the other servers of the benchmark, it does not ask silent clients whether they are there.
  transport: new WebSocketTransport({ server: http, pingInterval: 0 }),
  // Colyseus trusts the options that a server defines more than those of its clients.
  rooms: { game: defineRoom(Game, { mode }) },
});
await server.listen(0, "127.0.0.1");
const at = `127.0.0.1:${http.address().port}`;
console.log(JSON.stringify({ ws: `ws://${at}`, http: `http://${at}` }));
