import type { Range } from "./range.js";

/**
 * Returns bounds of the size of the value at a path of fields below a variable: of a string in characters, of a list in
 * elements, of a map in entries. The elements of a list are at `@items`, the keys of a map at `@keys`, and the values of
 * a map that are found by an index at `@values`. A path has at least one name; where a field is selected from the result
 * of a call, it has no variable and begins with that field, as in v1.29. Undefined: nothing is known.
 */
export type SizeEstimator = (path: readonly string[]) => Range | undefined;
