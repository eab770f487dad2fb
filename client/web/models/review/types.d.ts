// The report of a review, and the values of a position, as the server sends them.
//
// Net scores are the boxes of seat 0 minus those of seat 1 at the end of the game. `spread` is the
// standard error; 0: the value is proved.

export interface ExpectedScore {
  net: number;
  spread: number;
}

export interface ReviewPhrase {
  rule: string;
  text: string;
}

export interface ReviewedMove {
  /** The number of moves before it, without the opening. */
  ply: number;
  seat: number;
  action: number;
  before: ExpectedScore;
  after: ExpectedScore;
  /** How many boxes fewer the player gets in the end. */
  cost: number;
  /** Whether it certainly cost something. */
  sure: boolean;
  /** The best actions, the first choice first; empty: there was no choice. */
  best: number[];
  /** Whether no other action is as good as `best`. */
  every: boolean;
  /** A best line, which begins with the first of `best`; may be empty. */
  line: number[];
  /** The best line after the move that was played; may be empty. */
  answer: number[];
  phrases: ReviewPhrase[];
}

export interface ReviewReport {
  version: number;
  opening: number[];
  /** How well seat 0 and seat 1 played, in percent; null: the seat had no choice. */
  accuracy: [number | null, number | null];
  /** The ply of the move after which the result could not be saved; null: none, or unknown. */
  turning: number | null;
  turning_sure: boolean;
  moves: ReviewedMove[];
}

/** The answer to get_review, and the notices that follow until it is done or has failed. */
export interface ReviewState {
  game_id: string;
  status: "queued" | "working" | "done" | "failed";
  /** The place in the queue, from 1. */
  place: number;
  done: number;
  all: number;
  reason: string | null;
  report: ReviewReport | null;
}

/** The answer of `/api/values`. */
export interface PositionValues {
  value: ExpectedScore;
  /** All legal actions, the best for the mover first. */
  actions: { action: number; net: number; spread: number }[];
  line: number[];
}
