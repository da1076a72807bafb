/** The functions of texts, lists and maps that a node can call, by their names in CEL. */
export type FunctionName =
  | "startsWith"
  | "endsWith"
  | "contains"
  | "matches"
  | "lowerAscii"
  | "size"
  | "join"
  | "string"
  | "+";

/** The comparisons that a node can make, by their operators in CEL. */
export type ComparisonOperator = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in";

/** The loops over the elements of a list, by the names of their macros in CEL. */
export type LoopName = "all" | "exists" | "filter" | "map";

/** The objects that an expression begins with. */
export type RootName = "object" | "oldObject" | "request";

/** A value that is written into an expression. */
export type Literal = string | number | boolean | null | readonly (string | number | boolean)[] | EmptyMap;

/** A map without entries, the only one that can be written into an expression. */
export type EmptyMap = Readonly<Record<string, never>>;

/** An element of the list that a loop runs over. Each loop has one of its own. */
export interface ElementNode {
  readonly op: "element";
}

/** A named expression, which is evaluated at most once for a request. */
export interface VariableNode {
  readonly op: "variable";
  readonly name: string;
  readonly value: Node;
}

/** A selection of a member of an object, or of an entry of a map or list. */
export interface SelectionNode {
  readonly op: "selection";
  readonly container: Node;
  /** A literal text for members. */
  readonly key: Node;
}

/** The tree of an expression, which is evaluated as it is and printed as CEL. */
export type Node =
  | ElementNode
  | VariableNode
  | SelectionNode
  | { readonly op: "literal"; readonly value: Literal }
  | { readonly op: "root"; readonly name: RootName }
  /** The value of a selection, or `other` if the member or one above it is absent. */
  | { readonly op: "orValue"; readonly selection: Node; readonly other: Node }
  /** Test whether a selection has a value. */
  | { readonly op: "has"; readonly selection: Node }
  | { readonly op: "comparison"; readonly operator: ComparisonOperator; readonly left: Node; readonly right: Node }
  | { readonly op: "and" | "or"; readonly operands: readonly Node[] }
  | { readonly op: "not"; readonly operand: Node }
  | { readonly op: "choice"; readonly condition: Node; readonly left: Node; readonly right: Node }
  | { readonly op: "call"; readonly name: FunctionName; readonly args: readonly Node[] }
  | {
      readonly op: "loop";
      readonly name: LoopName;
      readonly list: Node;
      readonly element: ElementNode;
      readonly body: Node;
    };
