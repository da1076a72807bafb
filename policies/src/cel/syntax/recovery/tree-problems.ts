import { beforeSource, type CompileProblem, noPlace } from "../compile-error.js";
import { readLiteral } from "../literals.js";
import { findMacro } from "../macros.js";
import { maxDepth } from "../parser.js";
import { reservedNames } from "../reserved-names.js";
import { type ConcreteNode, type ConcreteToken, nodeOf, tokenOf } from "./concrete-tree.js";

/** A part of an expression, as far as macros look at their arguments. */
interface Part {
  readonly kind: "identifier" | "select" | "other";
  /** Offset to which errors about it point; `beforeSource` if it is missing. */
  readonly offset: number;
}

const missing: Part = { kind: "other", offset: beforeSource };

class TooDeep {}

/**
 * Adds the mistakes that the grammar does not know: reserved names, literals without a value, macros with wrong arguments.
 * Parts of the tree may be missing.
 */
export function addTreeProblems(tree: ConcreteNode, problems: CompileProblem[]): void {
  try {
    new TreeChecker(problems).check(tree);
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    problems.push({ message: "max recursion depth exceeded", offset: noPlace });
  }
}

class TreeChecker {
  readonly #problems: CompileProblem[];
  #depth = 0;

  constructor(problems: CompileProblem[]) {
    this.#problems = problems;
  }

  /** Checks a node and those below it, in the order in which v1.29 does. */
  check(outer: ConcreteNode | undefined): Part {
    const node = outer && withoutWrappers(outer);
    switch (node?.rule.name) {
      case "start":
        return this.check(nodeOf(node, "e"));
      case "expr":
        return this.#deeper(() => this.#parts(node, "op", "e", "e1", "e2"));
      case "conditionalOr":
        return this.#chain(node, "||");
      case "conditionalAnd":
        return this.#chain(node, "&&");
      case "relation":
      case "calc":
        return this.#deeper(() => this.#parts(node, "op", "left", "right"));
      case "unary":
        return this.#unary(node);
      case "member":
        return node.alternative === undefined ? missing : this.#deeper(() => this.#member(node));
      case "primary":
        return this.#primary(node);
      case "literal":
        return this.#literal(node);
      default:
        return missing;
    }
  }

  #parts(node: ConcreteNode, operator: string, ...labels: readonly string[]): Part {
    for (const label of labels) this.check(nodeOf(node, label));
    return other(tokenOf(node, operator)?.start ?? node.start);
  }

  #chain(node: ConcreteNode, operator: string): Part {
    const terms = node.nodes.get("terms") ?? [];
    const operators = node.tokens.get("ops") ?? [];
    this.check(terms[0]);
    for (const index of operators.keys()) {
      const term = terms[index + 1];
      if (term === undefined) return this.#report(node.start, `unexpected character, wanted '${operator}'`);
      this.check(term);
    }
    return other(operators[operators.length >> 1]?.start ?? node.start);
  }

  #unary(node: ConcreteNode): Part {
    const operators = node.tokens.get("ops") ?? [];
    if (node.alternative === undefined) return other(node.start);
    const operand = this.check(nodeOf(node, "operand"));
    return operators.length % 2 === 0 ? operand : other(operators[0]?.start ?? node.start);
  }

  #member(node: ConcreteNode): Part {
    this.check(nodeOf(node, "left"));
    const operator = tokenOf(node, "op");
    const name = tokenOf(node, "id");
    if (node.alternative === "Index") {
      this.check(nodeOf(node, "index"));
      return other(operator?.start ?? node.start);
    }
    if (name === undefined || operator === undefined) return other(node.start);
    if (node.alternative === "Select") {
      return { kind: tokenOf(node, "opt") === undefined ? "select" : "other", offset: operator.start };
    }
    return this.#call(name.text, true, tokenOf(node, "open"), nodeOf(node, "args"));
  }

  #call(name: string, isMember: boolean, open: ConcreteToken | undefined, list: ConcreteNode | undefined): Part {
    const args = (list?.nodes.get("e") ?? []).map((each) => this.check(each));
    const macro = findMacro(name, isMember, args.length);
    const [first] = args;
    const offset = open?.start ?? beforeSource;
    if (macro === undefined || first === undefined) return other(offset);
    if (first.kind !== macro.firstArgument.kind) return this.#report(first.offset, macro.firstArgument.problem);
    return { kind: macro.firstArgument.kind === "select" ? "select" : "other", offset };
  }

  #primary(node: ConcreteNode): Part {
    switch (node.alternative) {
      case "IdentOrGlobalCall":
        return this.#name(node);
      case "CreateList":
        for (const element of nodeOf(node, "elems")?.nodes.get("elems") ?? []) this.check(nodeOf(element, "e"));
        return other(tokenOf(node, "op")?.start ?? node.start);
      case "CreateStruct":
      case "CreateMessage":
        this.#entries(nodeOf(node, "entries"));
        return other(tokenOf(node, "op")?.start ?? node.start);
      default:
        return missing;
    }
  }

  #name(node: ConcreteNode): Part {
    const name = tokenOf(node, "id");
    if (name === undefined) return other(node.start);
    if (reservedNames.has(name.text)) return this.#report(node.start, `reserved identifier: ${name.text}`);
    const open = tokenOf(node, "op");
    if (open === undefined) return { kind: "identifier", offset: name.start };
    const dot = tokenOf(node, "leadingDot") === undefined ? "" : ".";
    return this.#call(dot + name.text, false, open, nodeOf(node, "args"));
  }

  #entries(list: ConcreteNode | undefined): void {
    const keys = list?.nodes.get("keys") ?? [];
    const values = list?.nodes.get("values") ?? [];
    const colons = list?.tokens.get("cols") ?? [];
    const isMap = list?.rule.name === "mapInitializerList";
    const count = isMap ? colons.length : keys.length;
    for (let index = 0; index < count; index++) {
      const key = keys[index];
      if (key === undefined || index >= values.length || index >= colons.length) return;
      if (isMap) this.check(nodeOf(key, "e"));
      else if (tokenOf(key, "id") === undefined) return;
      this.check(values[index]);
    }
  }

  #literal(node: ConcreteNode): Part {
    const token = tokenOf(node, "tok");
    if (token === undefined) return node.alternative === undefined ? missing : other(node.start);
    const literal = readLiteral(token.kind, `${tokenOf(node, "sign")?.text ?? ""}${token.text}`);
    if (literal?.error !== undefined) return this.#report(node.start, literal.error);
    return other(node.start);
  }

  #deeper(check: () => Part): Part {
    if (++this.#depth > maxDepth) throw new TooDeep();
    const part = check();
    this.#depth--;
    return part;
  }

  #report(offset: number, message: string): Part {
    this.#problems.push({ message, offset });
    return other(offset);
  }
}

function other(offset: number): Part {
  return { kind: "other", offset };
}

/** Returns the node that a node stands for, if it has only one part: `(a)` and `a` are the same. */
function withoutWrappers(outer: ConcreteNode): ConcreteNode | undefined {
  let node: ConcreteNode | undefined = outer;
  while (node !== undefined) {
    const label = wrappedLabel(node);
    if (label === undefined) return node;
    node = nodeOf(node, label);
  }
  return undefined;
}

function wrappedLabel(node: ConcreteNode): string | undefined {
  switch (node.rule.name) {
    case "expr":
      return node.tokens.has("op") ? undefined : "e";
    case "conditionalOr":
    case "conditionalAnd":
      return node.tokens.has("ops") ? undefined : "terms";
    case "relation":
    case "calc":
      return node.tokens.has("op") ? undefined : "operand";
    case "unary":
      return node.alternative === "MemberExpr" ? "operand" : undefined;
    case "member":
      return node.alternative === undefined && node.nodes.has("operand") ? "operand" : undefined;
    case "primary":
      if (node.alternative === "Nested") return "e";
      return node.alternative === "ConstantLiteral" ? "literal" : undefined;
    default:
      return undefined;
  }
}
