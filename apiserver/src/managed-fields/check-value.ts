import { goSyntaxOfJson, goValueText } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { FieldsError } from "./fields-error.js";
import { itemElement } from "./list-items.js";
import type { ListMerge, MapMerge, MergeType, ScalarForm } from "./merge-type.js";
import { describePathElement, type PathElement } from "./path-element.js";
import { formOf, sortedNames } from "./typed-value.js";

interface Problem {
  readonly path: string;
  readonly message: string;
}

/**
 * Checks that a value fits a type, so that it can be compared and merged. Duplicates in lists whose items have keys are
 * refused in applied objects, but may be in stored ones. Throws a FieldsError that lists all problems.
 */
export function checkValue(type: MergeType, value: JsonValue, duplicates: "refused" | "allowed"): void {
  const problems: Problem[] = [];
  new ValidateValue(problems, duplicates === "allowed").check(type, value);
  if (problems.length > 0) {
    throw new FieldsError(textOf(problems));
  }
}

/**
 * Reports whether `checkValue` surely finds no problem where duplicates are allowed: it makes no messages, orders and
 * paths, and so costs a fraction. False where `checkValue` must be called.
 */
export function isPlainlyOfType(type: MergeType, value: JsonValue): boolean {
  if (value === null) {
    return true;
  }
  const form = formOf(type, value);
  if (form === "map" && type.map !== undefined) {
    return isJsonObject(value) && areMembersPlain(type.map, value);
  }
  if (form === "list" && type.list !== undefined) {
    const { list } = type;
    return (
      Array.isArray(value) &&
      value.every((item) => (list.atomic || isPlainItem(list, item)) && isPlainlyOfType(list.items, item))
    );
  }
  return type.scalar === undefined || scalarProblem(type.scalar, value) === undefined;
}

function areMembersPlain(map: MapMerge, object: JsonObject): boolean {
  for (const name in object) {
    const value = object[name];
    const type = map.member(name) ?? map.others;
    if (value !== undefined && (type === undefined || !isPlainlyOfType(type, value))) {
      return false;
    }
  }
  return true;
}

/** Reports whether an item has its identity: all its keys, or a scalar value. */
export function isPlainItem({ keys }: ListMerge, item: JsonValue): boolean {
  return keys.length === 0
    ? isScalar(item)
    : isJsonObject(item) && keys.every(({ name, default: standard }) => isScalar(item[name] ?? standard));
}

function isScalar(value: JsonValue | undefined): boolean {
  return value !== undefined && typeof value !== "object";
}

function textOf(problems: readonly Problem[]): string {
  const texts = problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return texts.length === 1 ? (texts[0] as string) : ["errors:", ...texts.map((text) => `  ${text}`)].join("\n");
}

/** A step on the way to a value: a member, an item by its key or value, or an item by its index. */
type Step = { readonly member: string } | { readonly element: PathElement } | number;

class ValidateValue {
  readonly #problems: Problem[];
  readonly #allowDuplicates: boolean;
  /** The position of the check. Written out only for a problem: most objects have none. */
  readonly #steps: Step[] = [];

  constructor(problems: Problem[], allowDuplicates: boolean) {
    this.#problems = problems;
    this.#allowDuplicates = allowDuplicates;
  }

  check(type: MergeType, value: JsonValue): void {
    const form = formOf(type, value);
    if (form === "map" && type.map !== undefined) {
      this.#checkMap(type.map, value);
    } else if (form === "list" && type.list !== undefined) {
      this.#validateList(type.list, value);
    } else if (type.scalar !== undefined) {
      this.#validateScalar(type.scalar, value);
    }
  }

  #checkAt(step: Step, type: MergeType, value: JsonValue): void {
    this.#steps.push(step);
    this.check(type, value);
    this.#steps.pop();
  }

  #report(message: string): void {
    this.#problems.push({ path: this.#steps.map(describeStep).join(""), message });
  }

  #checkMap(map: MapMerge, value: JsonValue): void {
    if (!isJsonObject(value)) {
      if (value !== null) {
        this.#report(formatted(`expected map, got &{${goValueText(value)}}`));
      }
      return;
    }
    this.#checkMembers(map, value);
  }

  #checkMembers(map: MapMerge, object: JsonObject): void {
    for (const name of sortedNames(object)) {
      const type = map.member(name) ?? map.others;
      if (type === undefined) {
        this.#steps.push({ member: name });
        this.#report("field not declared in schema");
        this.#steps.pop();
        return;
      }
      this.#checkAt({ member: name }, type, object[name] as JsonValue);
    }
  }

  #validateList(list: ListMerge, value: JsonValue): void {
    if (!Array.isArray(value)) {
      if (value !== null) {
        this.#report(formatted(`expected list, got &{${goValueText(value)}}`));
      }
      return;
    }
    if (list.atomic) {
      for (const [index, item] of value.entries()) {
        this.#checkAt(index, list.items, item);
      }
    } else {
      this.#validateItems(list, value);
    }
  }

  #validateItems(list: ListMerge, items: JsonArray): void {
    const seen = new Set<PathElement>();
    for (const [index, item] of items.entries()) {
      let element: PathElement;
      try {
        element = itemElement(list, item);
      } catch (error) {
        if (!(error instanceof FieldsError)) {
          throw error;
        }
        // Items without identity cannot be checked, nor those after them.
        this.#report(`element ${index}: ${error.message}`);
        return;
      }
      if (seen.has(element) && !this.#allowDuplicates) {
        this.#report(`duplicate entries for key ${describePathElement(element)}`);
      }
      seen.add(element);
      this.#checkAt({ element }, list.items, item);
    }
  }

  #validateScalar(form: ScalarForm, value: JsonValue): void {
    const problem = value === null ? undefined : scalarProblem(form, value);
    if (problem !== undefined) {
      this.#report(problem);
    }
  }
}

function describeStep(step: Step): string {
  if (typeof step === "number") {
    return `[${step}]`;
  }
  return "member" in step ? `.${step.member}` : describePathElement(step.element);
}

/** Returns a text that v1.29 uses as a format without values to fill in. */
function formatted(text: string): string {
  return text.replace(/%[#+\- 0]*\d*(?:\.\d*)?(.?)/gsu, (_whole, verb: string) => {
    return verb === "%" ? "%" : verb === "" ? "%!(NOVERB)" : `%!${verb}(MISSING)`;
  });
}

function scalarProblem(form: ScalarForm, value: JsonValue): string | undefined {
  const type = typeof value === "bigint" ? "number" : typeof value;
  switch (form) {
    case "numeric":
      return type === "number" ? undefined : `expected numeric (int or float), got ${goTypeOfYaml(value)}`;
    case "string":
      return type === "string"
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${goSyntaxOfJson(value)}}`;
    case "boolean":
      return type === "boolean" ? undefined : `expected boolean, got &{${goValueText(value)}}`;
    default:
      return type === "object" ? `expected any scalar, got &{${goValueText(value)}}` : undefined;
  }
}

/** Returns the Go type that holds a value read from YAML, in which all numbers are floats. */
function goTypeOfYaml(value: JsonValue): string {
  if (Array.isArray(value)) {
    return "[]interface {}";
  }
  return isJsonObject(value) ? "map[string]interface {}" : typeof value === "boolean" ? "bool" : "string";
}
