import type { ElementNode, FunctionName, Literal, Node, VariableNode } from "./node.js";

/** Precedence of the operators of CEL, the loosest first. */
const precedence = { choice: 1, or: 2, and: 3, relation: 4, sum: 5, unary: 6, member: 7 } as const;

type Precedence = (typeof precedence)[keyof typeof precedence];

interface Printed {
  readonly text: string;
  readonly precedence: Precedence;
}

/** Prints trees as CEL. */
export class NodePrinter {
  /** Names of the elements of the loops around the node, the outermost first. */
  readonly #elements: ElementNode[] = [];

  /** Prints a tree. Throws TypeError for a text that CEL cannot hold. */
  print(node: Node): string {
    return this.#print(node).text;
  }

  #print(node: Node): Printed {
    switch (node.op) {
      case "literal":
        return printLiteral(node.value);
      case "root":
        return member(node.name);
      case "element":
        return member(elementName(this.#elements.indexOf(node)));
      case "variable":
        return member(`variables.${node.name}`);
      case "selection":
        return member(this.#selection(node.container, node.key, ""));
      case "orValue":
        return member(`${this.#optional(node.selection)}.orValue(${this.print(node.other)})`);
      case "has":
        return this.#presence(node.selection);
      case "comparison":
        return this.#infix([node.left, node.right], ` ${node.operator} `, precedence.relation);
      case "and":
        return this.#infix(node.operands, " && ", precedence.and);
      case "or":
        return this.#infix(node.operands, " || ", precedence.or);
      case "not":
        return { text: `!${this.#within(node.operand, precedence.member)}`, precedence: precedence.unary };
      case "choice":
        return this.#choice(node);
      case "call":
        return this.#call(node);
      case "loop":
        return this.#loop(node);
    }
  }

  /** Prints a node in parentheses unless its operators bind at least that strongly. */
  #within(node: Node, least: Precedence): string {
    const { text, precedence: own } = this.#print(node);
    return own < least ? `(${text})` : text;
  }

  /** Prints operands of one operator, which themselves have none that binds as loosely. */
  #infix(operands: readonly Node[], operator: string, own: Precedence): Printed {
    const texts = operands.map((operand) => this.#within(operand, (own + 1) as Precedence));
    return { text: texts.join(operator), precedence: own };
  }

  #selection(container: Node, key: Node, mark: "" | "?"): string {
    const holder = mark === "?" ? this.#optional(container) : this.#within(container, precedence.member);
    return key.op === "literal" && typeof key.value === "string" && isSelector(key.value)
      ? `${holder}.${mark}${key.value}`
      : `${holder}[${mark}${this.print(key)}]`;
  }

  /** Prints a selection as one whose members may be absent: `object.?spec.?replicas`. */
  #optional(node: Node): string {
    return node.op === "selection"
      ? this.#selection(node.container, node.key, "?")
      : this.#within(node, precedence.member);
  }

  #presence(selection: Node): Printed {
    if (selection.op !== "selection") {
      return { text: `${this.print(selection)} != null`, precedence: precedence.relation };
    }
    const { container, key } = selection;
    const isOneMember =
      container.op !== "selection" && key.op === "literal" && typeof key.value === "string" && isSelector(key.value);
    return member(
      isOneMember ? `has(${this.#selection(container, key, "")})` : `${this.#optional(selection)}.hasValue()`,
    );
  }

  #choice({ condition, left, right }: Extract<Node, { readonly op: "choice" }>): Printed {
    const texts = [condition, left, right].map((part) => this.#within(part, precedence.or));
    return { text: `${texts[0]} ? ${texts[1]} : ${texts[2]}`, precedence: precedence.choice };
  }

  #call({ name, args }: Extract<Node, { readonly op: "call" }>): Printed {
    if (name === "+") {
      // Lists and numbers add up in CEL, too: an empty text before them makes it an error, as it is in the hook.
      const texts: readonly Node[] = args.some(isText) ? args : [{ op: "literal", value: "" }, ...args];
      return this.#infix(texts, " + ", precedence.sum);
    }
    const [first, ...rest] = args as readonly [Node, ...Node[]];
    const texts = rest.map((argument) => this.print(argument)).join(", ");
    if (name === "string") {
      // Without dyn, `object.?a.orValue(0)` is an int to CEL, and a text in its place has no overload.
      const value = this.print(first);
      return member(first.op === "selection" ? `string(${value})` : `string(dyn(${value}))`);
    }
    return member(
      name === "size" ? `size(${this.print(first)})` : `${this.#within(first, precedence.member)}.${name}(${texts})`,
    );
  }

  #loop({ name, list, element, body }: Extract<Node, { readonly op: "loop" }>): Printed {
    const range = this.#within(list, precedence.member);
    this.#elements.push(element);
    const text = `${range}.${name}(${elementName(this.#elements.length - 1)}, ${this.print(body)})`;
    this.#elements.pop();
    return member(text);
  }
}

/** Adds the variables of a tree to those that were found before, each after those that it uses. */
export function collectVariables(node: Node, found: Set<VariableNode>): void {
  if (node.op === "variable" && found.has(node)) {
    return;
  }
  for (const child of childrenOf(node)) {
    collectVariables(child, found);
  }
  if (node.op === "variable") {
    found.add(node);
  }
}

function childrenOf(node: Node): readonly Node[] {
  switch (node.op) {
    case "literal":
    case "root":
    case "element":
      return [];
    case "variable":
      return [node.value];
    case "selection":
      return [node.container, node.key];
    case "orValue":
      return [node.selection, node.other];
    case "has":
      return [node.selection];
    case "comparison":
      return [node.left, node.right];
    case "and":
    case "or":
      return node.operands;
    case "not":
      return [node.operand];
    case "choice":
      return [node.condition, node.left, node.right];
    case "call":
      return node.args;
    case "loop":
      return [node.list, node.body];
  }
}

/** Returns true for nodes that CEL takes for texts whatever the objects hold. */
function isText(node: Node): boolean {
  switch (node.op) {
    case "literal":
      return typeof node.value === "string";
    case "variable":
      return isText(node.value);
    case "choice":
      return isText(node.left) && isText(node.right);
    case "call":
      return textFunctions.has(node.name);
    default:
      return false;
  }
}

const textFunctions: ReadonlySet<FunctionName> = new Set(["lowerAscii", "join", "string", "+"]);

function member(text: string): Printed {
  return { text, precedence: precedence.member };
}

function elementName(depth: number): string {
  if (depth < 0) {
    throw new TypeError("an element is used outside its loop");
  }
  return depth === 0 ? "item" : `item${depth + 1}`;
}

function printLiteral(value: Literal): Printed {
  if (typeof value === "number" && value < 0) {
    return { text: String(value), precedence: precedence.unary };
  }
  if (Array.isArray(value)) {
    return member(`[${value.map((item: Literal) => printLiteral(item).text).join(", ")}]`);
  }
  return member(
    typeof value === "string" ? printText(value) : typeof value === "object" && value ? "{}" : String(value),
  );
}

function printText(text: string): string {
  if (/\p{Surrogate}/u.test(text)) {
    throw new TypeError(`the text ${JSON.stringify(text)} holds half a surrogate pair, which CEL cannot hold`);
  }
  // The escapes of JSON are escapes of CEL, too.
  return JSON.stringify(text);
}

/** Returns true for names that can stand after a dot. */
function isSelector(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !["in", "true", "false", "null"].includes(name);
}
