/** The place of the next node: in brackets, or in a block. */
export type Place = "flow" | BlockPlace;

/** The place of a node outside brackets. */
export interface BlockPlace {
  /** Column of the list or map that holds it, -1 at the top. */
  readonly indent: number;
  /** True if a map or list may begin on the line of the indicator before it. */
  readonly mayStartBlock: boolean;
  /** True for the value of a key, below which a list may stand level with the key. */
  readonly mayBeLevel: boolean;
}

/** Returns the place of the value of a key that stands on the line of its colon, in a map whose keys stand in a column. */
export function behindKey(indent: number): BlockPlace {
  return { indent, mayStartBlock: false, mayBeLevel: true };
}
