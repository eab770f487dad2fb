// A real app over a fake socket, without a browser: for tests of what pages do with the connection.

import { signal } from "@preact/signals";

import { App } from "../../../../client/web/app/app.js";
import { Storage } from "../../../../client/web/app/storage.js";
import { Identity } from "../../../../client/web/net/identity.js";
import { Link } from "../../../../client/web/net/link.js";
import { fakeSockets } from "../../../node/fake-socket.mjs";
import { FakeTimers } from "../../../node/fake-time.mjs";
import { roomState, snapshot, welcome } from "../../../node/server-messages.mjs";

const GEOMETRY = {
  game: "dots-and-boxes",
  size: "1x1",
  title: "Dots and Boxes 1x1",
  points: [],
  segments: [],
  cells: [],
  regions: [],
  names: ["a", "b", "c", "d"],
  seat_names: ["X", "O"],
  pieces: "fill",
  unit: "boxes",
};
const CATALOGUE = { games: [{ key: "dots-and-boxes", title: "Dots and Boxes", parameters: [] }] };

/** A person at the page. `paths` are the addresses to which the app has led. */
export class Seat {
  constructor({ known = true, kept } = {}) {
    const { FakeSocket, sockets } = fakeSockets();
    this.sockets = sockets;
    this.timers = new FakeTimers();
    this.kept = kept ?? new Map(known ? [["doublecross.identity", '{"name":"Ann","token":"a-token"}']] : []);
    this.paths = [];
    this.others = new EventTarget();
    const storage = new Storage(() => ({
      getItem: (key) => this.kept.get(key) ?? null,
      setItem: (key, text) => this.kept.set(key, text),
      removeItem: (key) => this.kept.delete(key),
    }), this.others);
    const identity = new Identity(storage);
    this.place = signal({ name: "lobby", params: {} });
    this.app = new App({
      navigation: { place: this.place, listen: () => {}, go: (path) => this.paths.push(path) },
      storage,
      settings: { premoves: { value: true, peek: () => true }, mutePhrases: { value: false } },
      voice: (this.voice = signal(true)),
      sounds: { play: () => {}, listen: () => {} },
      games: {
        geometry: async () => GEOMETRY,
        catalogue: async () => CATALOGUE,
        title: () => GEOMETRY.title,
      },
      identity,
      makeLink: (onUpdates) =>
        new Link({
          url: "ws://server/socket",
          identity,
          onUpdates,
          random: () => 0.5,
          timers: this.timers,
          WebSocket: FakeSocket,
        }),
      now: () => this.timers.now(),
      random: () => 0.5,
    });
    this.app.start({ document: null });
  }

  /** Let another tab of the browser keep a value. */
  keep(key, value) {
    this.kept.set(`doublecross.${key}`, JSON.stringify(value));
    this.others.dispatchEvent(Object.assign(new Event("storage"), { key: `doublecross.${key}` }));
  }

  get socket() {
    return this.sockets.at(-1);
  }

  /** Accept the latest connection; return its hello. */
  welcome(changes) {
    this.socket.open();
    const [hello] = this.socket.take();
    this.socket.tell(welcome(hello.id, changes));
    return hello;
  }

  /** Return the requests since the last call, without pings. */
  asked() {
    return this.socket.take().filter(({ type }) => type !== "ping");
  }

  /** Answer all requests to enter or leave rooms; return their types. */
  serve(changes = {}) {
    const asked = this.asked();
    for (const { id, type, room } of asked) {
      if (type === "leave") this.socket.tell({ type: "done", id });
      if (["watch", "join_room", "resume"].includes(type)) {
        this.socket.tell(roomState(id, { room, seat: null, snapshot: snapshot(), ...changes }));
      }
    }
    return asked.map(({ type }) => type);
  }
}

/** Let all promises that are settled by now run on. */
export async function settle() {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
