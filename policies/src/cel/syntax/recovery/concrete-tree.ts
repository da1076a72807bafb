import type { TokenKind } from "../tokens.js";
import type { NetworkRule, State } from "./network.js";

/** A token of a concrete tree. A missing one, which was inserted, has the place of its neighbour. */
export interface ConcreteToken {
  readonly kind: TokenKind;
  readonly start: number;
  readonly text: string;
}

/** A rule that was parsed, perhaps not to its end. */
export interface ConcreteNode {
  readonly rule: NetworkRule;
  readonly parent: ConcreteNode | undefined;
  /** The state that has called the rule. */
  readonly calledFrom: State | undefined;
  /** Offset of the first token. */
  readonly start: number;
  /** The name of the alternative; undefined if none was taken. */
  alternative: string | undefined;
  readonly tokens: Map<string, ConcreteToken[]>;
  readonly nodes: Map<string, ConcreteNode[]>;
}

/** Returns the token of a label. */
export function tokenOf(node: ConcreteNode, label: string): ConcreteToken | undefined {
  return node.tokens.get(label)?.[0];
}

/** Returns the node of a label. */
export function nodeOf(node: ConcreteNode, label: string): ConcreteNode | undefined {
  return node.nodes.get(label)?.[0];
}

/** Adds to the values of a label. */
export function addLabelled<Value>(values: Map<string, Value[]>, label: string | undefined, value: Value): void {
  if (label === undefined) return;
  const known = values.get(label);
  if (known === undefined) values.set(label, [value]);
  else known.push(value);
}
