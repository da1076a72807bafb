/** A step of a JSON path in the dialect of kubectl and of printer columns. */
export type PathNode =
  | { readonly type: "field"; readonly name: string }
  | { readonly type: "wildcard" }
  /** The value and everything below it that is a container itself. */
  | { readonly type: "recursive" }
  | {
      readonly type: "slice";
      readonly from: number | undefined;
      readonly to: SliceEnd;
      readonly step: number | undefined;
    }
  | { readonly type: "union"; readonly paths: readonly (readonly PathNode[])[] }
  | { readonly type: "filter"; readonly left: JsonPath; readonly operator: string; readonly right: JsonPath }
  /** A number that is written with a point is a double, also when it is whole. */
  | { readonly type: "constant"; readonly value: string | number | bigint | boolean; readonly isDouble?: boolean }
  /** A word that is neither `true` nor `false`: an error for whoever follows the path, not for whoever reads it. */
  | { readonly type: "identifier"; readonly name: string }
  /** A further path, in braces behind the first. It leads from the whole value, and only its errors count. */
  | { readonly type: "aside"; readonly path: JsonPath };

/** The end of a slice: an index, the end of the list, or the place behind the one item that an index names. */
export type SliceEnd = number | "end" | "one";

/** A parsed path. */
export type JsonPath = readonly PathNode[];
