// What somebody has solved: exercises by their keys, and puzzles by their ids. `app/merging.js` shares it with other
// browsers of the same player.

const LESSONS = "lessons";
const PUZZLES = "puzzles";
const DAY_MS = 86_400_000;
/** The most days that are kept, the newest ones. */
const MOST_DAYS = 2000;

/**
 * @typedef {{get: (key: string) => unknown, set: (key: string, value: unknown) => void}} Storage
 * @typedef {{name: string, exercises: readonly string[]}} Lesson
 * @typedef {{id: string, kind: string, difficulty: number}} Puzzle
 */

/** @param {unknown} found */
export const texts = (found) => new Set(Array.isArray(found) ? found.filter((each) => typeof each === "string") : []);

/**
 * @param {Storage} storage
 * @param {string} key
 * @returns {Record<string, unknown>}
 */
function read(storage, key) {
  const found = storage.get(key);
  return typeof found === "object" && found !== null ? /** @type {Record<string, unknown>} */ (found) : {};
}

/** The solved exercises of the course. */
export class LessonProgress {
  /** @param {Storage} storage */
  constructor(storage) {
    this._storage = storage;
  }

  get _solved() {
    return texts(read(this._storage, LESSONS)["solved"]);
  }

  /**
   * @param {string} lesson
   * @param {string} exercise
   */
  has(lesson, exercise) {
    return this._solved.has(`${lesson}/${exercise}`);
  }

  /**
   * Return how many exercises of a lesson are solved.
   * @param {Lesson} lesson
   */
  count({ name, exercises }) {
    const solved = this._solved;
    return exercises.filter((id) => solved.has(`${name}/${id}`)).length;
  }

  /**
   * Return the index of the first exercise that is not solved; 0 if all are.
   * @param {Lesson} lesson
   */
  firstOpen({ name, exercises }) {
    return Math.max(0, exercises.findIndex((id) => !this.has(name, id)));
  }

  /**
   * Return the first lesson that is not finished.
   * @template {Lesson} T
   * @param {readonly T[]} lessons
   * @returns {T | undefined}
   */
  nextLesson(lessons) {
    return lessons.find((lesson) => this.count(lesson) < lesson.exercises.length);
  }

  /**
   * @param {string} lesson
   * @param {string} exercise
   */
  add(lesson, exercise) {
    const solved = this._solved.add(`${lesson}/${exercise}`);
    this._storage.set(LESSONS, { solved: [...solved].sort() });
  }
}

/** The solved puzzles, those solved at the first try, and the days of daily puzzles. */
export class PuzzleProgress {
  /** @param {Storage} storage */
  constructor(storage) {
    this._storage = storage;
  }

  /** @param {"solved" | "clean" | "days"} name */
  all(name) {
    return texts(read(this._storage, PUZZLES)[name]);
  }

  /**
   * Note that a puzzle was solved. `clean`: without a mistake and without help; only the first solution counts as
   * such. `day` is given if this was the puzzle of that day.
   *
   * @param {string} puzzle
   * @param {{clean: boolean, day: string | null}} how
   */
  add(puzzle, { clean, day }) {
    const [solved, first, days] = [this.all("solved"), this.all("clean"), this.all("days")];
    if (clean && !solved.has(puzzle)) first.add(puzzle);
    solved.add(puzzle);
    if (day !== null) days.add(day);
    const kept = [...days].sort().slice(-MOST_DAYS);
    this._storage.set(PUZZLES, { solved: [...solved].sort(), clean: [...first].sort(), days: kept });
  }

  /**
   * Return on how many days in a row the daily puzzle was solved. They end today, or yesterday if today's puzzle is
   * still open.
   *
   * @param {string} today such as 2026-11-23
   */
  streak(today) {
    const days = this.all("days");
    let at = Date.parse(`${today}T00:00:00Z`);
    const day = () => new Date(at).toISOString().slice(0, 10);
    if (!days.has(day())) at -= DAY_MS;
    let count = 0;
    for (; days.has(day()); at -= DAY_MS) count += 1;
    return count;
  }

  /**
   * Return the first puzzle of a kind and difficulty that is not solved. They come in the order of difficulties, and
   * within one in that of the ids, so that kinds take turns.
   *
   * @template {Puzzle} T
   * @param {readonly T[]} puzzles
   * @param {{kind?: string, difficulty?: number}} chosen
   * @returns {T | undefined}
   */
  choose(puzzles, { kind = "", difficulty = 0 }) {
    const solved = this.all("solved");
    return puzzles
      .filter((each) => !solved.has(each.id) && (!kind || each.kind === kind) && (!difficulty || each.difficulty === difficulty))
      .sort((a, b) => a.difficulty - b.difficulty || (a.id < b.id ? -1 : 1))[0];
  }
}
