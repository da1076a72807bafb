import type { MessageType } from "../libraries/message-type.js";
import type { CompileProblem } from "../syntax/compile-error.js";
import type {
  Call,
  Comprehension,
  Expression,
  ListLiteral,
  MapLiteral,
  ParsedExpression,
  Select,
  StructLiteral,
} from "../syntax/expression.js";
import { boolType, type CelType, dynType, errorType, listType, mapType, optionalType } from "../types/cel-type.js";
import { literalType } from "../types/literal-type.js";
import { isSameType } from "../types/same-type.js";
import { isDyn, isDynOrError, TypeInference, TypesTooComplex } from "../types/type-inference.js";
import { qualifiedTypeText, typeName, typeText } from "../types/type-text.js";
import type { CheckedExpression } from "./checked-expression.js";
import type { Declarations, DeclaredOverload } from "./declarations.js";
import { qualifiedName, withoutLeadingDot } from "./qualified-name.js";
import { resolveOverloads } from "./resolve-overloads.js";
import { findInScope, type Scope } from "./scope.js";

/** A node or a part of one, to which a message points. */
interface Place {
  readonly offset: number;
}

/**
 * Nodes that are checked, at most: as many as the longest source has characters. Some macros put a node into two places,
 * so that the work doubles with each macro of a chain.
 */
const maxVisits = 100_000;

const noOverloads: readonly DeclaredOverload[] = [];

/** Checks one expression: gives each node a type, and collects the mistakes. */
export class Checker {
  readonly problems: CompileProblem[] = [];
  readonly #parsed: ParsedExpression;
  readonly #declarations: Declarations;
  readonly #inference = new TypeInference();
  readonly #types: (CelType | undefined)[];
  readonly #overloads: (readonly DeclaredOverload[] | undefined)[];
  readonly #references: (string | undefined)[];
  #scope: Scope;
  #visits = 0;

  constructor(parsed: ParsedExpression, declarations: Declarations) {
    this.#parsed = parsed;
    this.#declarations = declarations;
    this.#types = new Array(parsed.maxId + 1);
    this.#overloads = new Array(parsed.maxId + 1);
    this.#references = new Array(parsed.maxId + 1);
  }

  /** Checks all nodes. Throws TypesTooComplex. */
  checkAll(): CheckedExpression {
    const root = this.#parsed.root;
    this.#check(root);
    const types = this.#types.map((type) => type && this.#inference.bounded(this.#inference.resolveToDyn(type)));
    const overloads = this.#overloads;
    const references = this.#references;
    const typeOf = (node: Expression) => types[node.id] ?? dynType;
    return {
      parsed: this.#parsed,
      type: typeOf(root),
      settings: this.#declarations.settings,
      declarations: this.#declarations,
      typeOf,
      overloadsOf: (node) => overloads[node.id] ?? noOverloads,
      referenceOf: (node) => references[node.id],
    };
  }

  /** Checks a node and returns its type, in which type parameters may be left. */
  #check(node: Expression): CelType {
    if (++this.#visits > maxVisits) {
      throw new TypesTooComplex();
    }
    const type = this.#inference.bounded(this.#typeOfNode(node));
    const before = this.#types[node.id];
    if (before && !isSameType(before, type)) {
      // Macros can put one node into two places; v1.29 does not take it if its type has parameters, as that of [] has.
      const types = `old:${qualifiedTypeText(before)}, new:${qualifiedTypeText(type)}`;
      this.#problem(node, `incompatible type already exists for expression: ${types}`);
      return before;
    }
    this.#types[node.id] = type;
    return type;
  }

  #typeOfNode(node: Expression): CelType {
    switch (node.kind) {
      case "literal":
        return literalType(node.value);
      case "identifier":
        return this.#checkReference(node, node.name) ?? this.#undeclared(node, node.name);
      case "select":
        return this.#checkSelect(node);
      case "call":
        return this.#checkCall(node);
      case "list":
        return this.#checkList(node);
      case "map":
        return this.#checkMap(node);
      case "struct":
        return this.#checkStruct(node);
      case "comprehension":
        return this.#checkComprehension(node);
    }
  }

  /** Returns the type of the variable or type that a name stands for; undefined if there is none. */
  #checkReference(node: Expression, name: string): CelType | undefined {
    const resolved = withoutLeadingDot(name);
    const type = this.#lookUp(resolved);
    if (type) {
      this.#references[node.id] = resolved;
    }
    return type;
  }

  #lookUp(name: string): CelType | undefined {
    const variable = findInScope(this.#scope, name) ?? this.#declarations.variable(name);
    if (variable) {
      return variable;
    }
    const named = this.#declarations.namedType(name);
    if (named) {
      return { kind: "type", of: named };
    }
    const constant = this.#declarations.constant(name);
    return constant === undefined ? undefined : literalType(constant);
  }

  #checkSelect(node: Select): CelType {
    const name = qualifiedName(node);
    const reference = name === undefined ? undefined : this.#checkReference(node, name);
    if (reference) {
      return reference;
    }
    const type = this.#checkField(node, node.operand, node.field, false);
    return node.isTest ? boolType : this.#inference.resolve(type);
  }

  #checkField(place: Place, operand: Expression, field: string, isOptional: boolean): CelType {
    const operandType = this.#inference.resolve(this.#check(operand));
    const [target, isOptionalTarget] = unwrapOptional(operandType);
    const type = this.#fieldType(place, target, field);
    return isOptional || isOptionalTarget ? optionalType(type) : type;
  }

  #fieldType(place: Place, target: CelType, field: string): CelType {
    switch (target.kind) {
      case "map":
        return target.values;
      case "object":
        return target.field(field)?.type ?? this.#problem(place, `undefined field '${field}'`);
      case "opaque":
        return this.#problem(place, `unexpected failed resolution of '${target.name}'`);
      case "parameter":
        this.#inference.isAssignable(dynType, target);
        return dynType;
      default:
        if (!isDynOrError(target)) {
          this.#problem(place, `type '${this.#text(target)}' does not support field selection`);
        }
        return dynType;
    }
  }

  #checkCall(node: Call): CelType {
    if (node.name === "_?._") {
      return this.#checkOptionalSelect(node);
    }
    const argumentTypes = node.args.map((argument) => this.#check(argument));
    if (!node.target) {
      return this.#resolveCall(node, withoutLeadingDot(node.name), argumentTypes, false);
    }
    const prefix = qualifiedName(node.target);
    const qualified = prefix === undefined ? undefined : withoutLeadingDot(`${prefix}.${node.name}`);
    if (qualified !== undefined && this.#declarations.overloads(qualified)) {
      this.#references[node.id] = qualified;
      return this.#resolveCall(node, qualified, argumentTypes, false);
    }
    const targetType = this.#check(node.target);
    return this.#resolveCall(node, node.name, [targetType, ...argumentTypes], true);
  }

  #checkOptionalSelect(node: Call): CelType {
    const [operand, field] = node.args;
    if (operand && field?.kind === "literal" && typeof field.value === "string") {
      this.#overloads[node.id] = this.#declarations.overloads(node.name) ?? noOverloads;
      return this.#inference.resolve(this.#checkField(node, operand, field.value, true));
    }
    return this.#problem(field ?? node, "unsupported optional field selection");
  }

  #resolveCall(node: Call, name: string, argumentTypes: readonly CelType[], isMember: boolean): CelType {
    const candidates = this.#declarations.overloads(name);
    if (!candidates) {
      return this.#undeclared(node, name);
    }
    if (name === "_&&_" || name === "_||_") {
      return this.#checkLogical(node, candidates, argumentTypes);
    }
    const resolution = resolveOverloads(candidates, isMember, argumentTypes, this.#inference);
    if (resolution) {
      this.#overloads[node.id] = resolution.overloads;
      return resolution.type;
    }
    const texts = argumentTypes.map((type) => this.#text(this.#inference.resolveToDyn(type)));
    const applied = isMember ? `${texts[0]}.(${texts.slice(1).join(", ")})` : `(${texts.join(", ")})`;
    return this.#problem(node, `found no matching overload for '${name}' applied to '${applied}'`);
  }

  #checkLogical(node: Call, overloads: readonly DeclaredOverload[], argumentTypes: readonly CelType[]): CelType {
    this.#overloads[node.id] = overloads;
    let type: CelType = boolType;
    for (const [index, argumentType] of argumentTypes.entries()) {
      if (!this.#inference.isAssignable(argumentType, boolType)) {
        type = this.#mismatch(node.args[index] ?? node, boolType, argumentType);
      }
    }
    return type;
  }

  #checkList(node: ListLiteral): CelType {
    const optional = new Set(node.optionalIndexes);
    let elements: CelType | undefined;
    for (const [index, element] of node.elements.entries()) {
      elements = this.#join(elements, this.#checkValue(element, optional.has(index)));
    }
    return listType(elements ?? this.#inference.newParameter());
  }

  #checkMap(node: MapLiteral): CelType {
    let keys: CelType | undefined;
    let values: CelType | undefined;
    for (const entry of node.entries) {
      keys = this.#join(keys, this.#check(entry.key));
      values = this.#join(values, this.#checkValue(entry.value, entry.isOptional));
    }
    return mapType(keys ?? this.#inference.newParameter(), values ?? this.#inference.newParameter());
  }

  /** Returns the type of a value in a literal; of one that may be absent, the type that it has if it is there. */
  #checkValue(node: Expression, isOptional: boolean): CelType {
    const type = this.#check(node);
    if (!isOptional) {
      return type;
    }
    const [value, wasOptional] = unwrapOptional(type);
    if (!wasOptional && !isDyn(value)) {
      this.#mismatch(node, optionalType(value), value);
    }
    return value;
  }

  #checkStruct(node: StructLiteral): CelType {
    const name = withoutLeadingDot(node.typeName);
    const reference = this.#lookUp(name);
    if (!reference) {
      return this.#undeclared(node, node.typeName);
    }
    this.#references[node.id] = name;
    const message = this.#declarations.variable(name) ? undefined : this.#declarations.message(name);
    const type = message?.type ?? this.#structType(node, reference);
    for (const field of node.fields) {
      const valueType = this.#checkValue(field.value, field.isOptional);
      const fieldType = this.#structFieldType(field, message, type, name);
      if (!this.#inference.isAssignable(fieldType, valueType)) {
        const [expected, provided] = [this.#text(fieldType), this.#text(valueType)];
        this.#problem(
          field,
          `expected type of field '${field.field}' is '${expected}' but provided type is '${provided}'`,
        );
      }
    }
    return type;
  }

  #structFieldType(
    field: StructLiteral["fields"][number],
    message: MessageType | undefined,
    type: CelType,
    name: string,
  ): CelType {
    if (message) {
      return message.fields.get(field.field)?.type ?? this.#problem(field, `undefined field '${field.field}'`);
    }
    return type.kind === "object"
      ? this.#fieldType(field, type, field.field)
      : this.#problem(field, `unexpected failed resolution of '${name}'`);
  }

  #structType(node: StructLiteral, reference: CelType): CelType {
    if (reference.kind === "error") {
      return errorType;
    }
    if (reference.kind !== "type") {
      return this.#problem(node, `'${typeName(reference)}' is not a type`);
    }
    if (reference.of?.kind === "object") {
      return reference.of;
    }
    return this.#problem(node, `'${typeName(reference.of ?? reference)}' is not a message type`);
  }

  #checkComprehension(node: Comprehension): CelType {
    const range = this.#inference.resolve(this.#check(node.range));
    const accumulator = this.#check(node.initial);
    const element = this.#elementType(node, range);
    const outer = this.#scope;
    const inner = { name: node.accumulator, type: accumulator, outer };
    this.#scope = { name: node.variable, type: element, outer: inner };
    this.#expect(node.condition, boolType);
    this.#expect(node.step, accumulator);
    this.#scope = inner;
    const type = this.#check(node.result);
    this.#scope = outer;
    return this.#inference.resolve(type);
  }

  #elementType(node: Comprehension, range: CelType): CelType {
    switch (range.kind) {
      case "list":
        return range.elements;
      case "map":
        return range.keys;
      case "dyn":
      case "error":
      case "parameter":
        this.#inference.isAssignable(dynType, range);
        return dynType;
      default:
        return this.#problem(
          node.range,
          `expression of type '${this.#text(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
    }
  }

  #expect(node: Expression, expected: CelType): void {
    const type = this.#check(node);
    if (!this.#inference.isAssignable(expected, type)) {
      this.#mismatch(node, expected, type);
    }
  }

  /** Returns the type that elements of a literal have in common; `validateLiterals` tells where they have none. */
  #join(before: CelType | undefined, type: CelType): CelType {
    if (!before) {
      return type;
    }
    return this.#inference.isAssignable(before, type) ? this.#inference.moreGeneral(before, type) : dynType;
  }

  #undeclared(place: Place, name: string): CelType {
    return this.#problem(place, `undeclared reference to '${name}' (in container '')`);
  }

  #mismatch(place: Place, expected: CelType, found: CelType): CelType {
    return this.#problem(place, `expected type '${this.#text(expected)}' but found '${this.#text(found)}'`);
  }

  #problem(place: Place, message: string): CelType {
    this.problems.push({ message, offset: place.offset });
    return errorType;
  }

  #text(type: CelType): string {
    return typeText(this.#inference.bounded(type));
  }
}

function unwrapOptional(type: CelType): readonly [type: CelType, isOptional: boolean] {
  return type.kind === "optional" ? [type.value, true] : [type, false];
}
