/** Commit moves to SQLite before anybody sees them: all that arrive in a turn of the loop together. */
import { DatabaseSync } from "node:sqlite";

export class Journal {
  #database;
  #insert;
  /** What to do after the next commit. */
  #after = [];
  /** The moves of the next commit. */
  #moves = [];

  /** Open the database in this file, or make it. */
  constructor(file) {
    this.#database = new DatabaseSync(file);
    // As the databases of Doublecross: a commit is on the disk before it is answered.
    this.#database.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL");
    this.#database.exec(
      "CREATE TABLE IF NOT EXISTS moves (room TEXT, match INTEGER, ply INTEGER, edge INTEGER, seat INTEGER)",
    );
    this.#insert = this.#database.prepare("INSERT INTO moves VALUES (?, ?, ?, ?, ?)");
  }

  /** Store a move of a room's match soon, and then call `after`. */
  keep(room, match, [ply, edge, seat], after) {
    if (this.#moves.length === 0) setImmediate(() => this.#commit());
    this.#moves.push([room, match, ply, edge, seat]);
    this.#after.push(after);
  }

  #commit() {
    const [moves, after] = [this.#moves, this.#after];
    this.#moves = [];
    this.#after = [];
    this.#database.exec("BEGIN");
    for (const move of moves) this.#insert.run(...move);
    this.#database.exec("COMMIT");
    for (const next of after) next();
  }
}
