// The report of a review, and the values of a position, as the server sends them.
//
// Net scores are the boxes of seat 0 minus those of seat 1 at the end of the game. `spread` is the
// standard error; 0: the value is proved.

export type ReviewState = import("../../core/messages.js").ReviewState;
export type ReviewReport = import("../../core/messages.js").ReviewReport;
export type ReviewedMove = ReviewReport["moves"][number];
export type ExpectedScore = ReviewedMove["before"];

export type PositionValues = import("../../types/api").PositionValues;
