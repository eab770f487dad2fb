// Play any game on a server: node client.mjs ws://127.0.0.1:8765 Ben
// Node.js 22 needs nothing else; Node.js 20 needs the option --experimental-websocket.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const [url, name] = process.argv.slice(2);
const file = `${name}.token`; // by it the server knows the bot again: keep it secret

function choose(board) { // this is where your ideas go
  const legal = [...board.legal].flatMap((may, action) => (may === "1" ? [action] : []));
  return legal[Math.floor(Math.random() * legal.length)];
}

function play() {
  const socket = new WebSocket(url, "doublecross.v1.json");
  const seats = {}; // mine, by room
  let id = 0, me, pings;
  const say = (type, more) => socket.send(JSON.stringify({ type, id: ++id, ...more }));
  socket.onopen = () => {
    const token = existsSync(file) ? readFileSync(file, "utf8").trim() : null;
    const engine = { name: "example", version: "1" };
    say("hello", { protocol: 2, kind: "bot", name, token, engine, boards: true });
    pings = setInterval(() => say("ping"), 20_000); // the server ends silent connections
  };
  socket.onmessage = ({ data }) => {
    const m = JSON.parse(data), room = m.room, now = m.snapshot;
    if (m.type === "welcome") {
      me = m.player.name;
      writeFileSync(file, m.token, { mode: 0o600 });
      // Their games go on after a lost connection.
      for (const each of m.rooms) say("resume", { room: each, seq: 0 });
    } else if (m.type === "challenged") {
      say("accept_challenge", { challenge: m.challenge, key: m.challenge });
    } else if (m.type === "rematch_offered") say("rematch", { room });
    else if (m.type === "error") {
      console.log(m.message);
      if (m.id === 1) process.exit(1);
    } else if (m.type === "room_state") {
      seats[room] = m.seat;
      Object.assign(m, { match: now.match, ply: now.moves.length - 1, to_move: now.to_move });
    } else if (m.type === "match_started") {
      seats[room] = m.players.indexOf(me);
      m.ply = -1;
    }
    if (m.board && m.to_move === seats[room])
      say("move", { room, match: m.match, ply: m.ply + 1, action: choose(m.board) });
  };
  socket.onclose = ({ code, reason }) => {
    clearInterval(pings);
    console.log(`The connection is lost: ${reason || code}`);
    if (code >= 4001 && code <= 4003) process.exit(1); // the server wants no further try
    setTimeout(play, 500 + 1500 * Math.random());
  };
}

play();
