// The types that the files of the board share.

/** A seat: 0 or 1. */
export type Seat = number;
export type Point = readonly [number, number];

/** What the server sends for `/api/geometry`. */
export type Geometry = import("../types/api").GameGeometry;

/** A position to draw. */
export interface Position {
  /** One character for each cell: the owner's seat, or "." for nobody. */
  cells: string;
  /** The same before the last move; null or missing: unknown. */
  before?: string | null;
  /** One character for each action: "1" may be played now. */
  legal: string;
  /** The cells that decided the game. */
  winning: readonly number[];
  /** The actions played so far, those of the opening included, oldest first. */
  played: readonly number[];
  /** Who played each of them; null or missing: nobody, or unknown. */
  drawers?: readonly (Seat | null | undefined)[];
  /** The last move; null before the first. */
  last: number | null;
  /** The seat to move; null when the game is over or waits. */
  toMove: Seat | null;
}

export type Feature = import("../types/api").PositionFeature;

/** A player as a board shows it. */
export interface SeatLook {
  name: string;
  /** One or two characters for the player's cells. */
  initial: string;
}

export interface BoardLayer {
  show(data: any): void;
}

export interface BoardProps {
  geometry: Geometry;
  position: Position;
  seats: readonly [SeatLook, SeatLook];
  /** The seat of this player; null: none, or both (a board on which one person plays both seats). */
  seat?: Seat | null;
  mode?: "play" | "watch" | "still";
  /** The own move that the server has not confirmed yet. */
  pending?: number | null;
  hint?: number | null;
  /** Whether moves can be chosen while the opponent is to move, and the one that is. */
  early?: boolean;
  premove?: number | null;
  features?: readonly Feature[] | null;
  /** What a network would play, for a heat map; null while it is fetched, missing without one. */
  heat?: import("../net/facts.js").Fact | null;
  /** What a page draws over the board with code of its own; `data` may change, the maker may not. */
  layer?: { maker: new (view: import("./view.js").BoardView) => BoardLayer; data: any };
  /** Whether letters and numbers on the rim name the places. */
  rim?: boolean;
  /** Whether a tap on a small board asks for a second one. */
  confirmTaps?: boolean;
  onPlay?: (action: number) => void;
  /** The accessible name. */
  label: string;
  /** Announces a sentence to screen readers. */
  say?: (text: string) => void;
}
