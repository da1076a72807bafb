import type { ValueReader } from "../types/cel-type.js";
import { EvaluationError } from "../values/evaluation-error.js";
import { isPlainObject } from "../values/type-name.js";
import { CelObject, type CelValue, Optional } from "../values/value.js";
import { caughtError, type Frame, isError, notBoolean, type Outcome, type Step } from "./frame.js";
import { checkKey, findElement, isInherited, missingElement, plainMember } from "./select-element.js";

/** The start of a path of selections. */
export type PathRoot =
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "slot"; readonly slot: number }
  | {
      readonly kind: "value";
      readonly run: Step;
      /** True: reading it costs nothing. */
      readonly isFree?: boolean;
    }
  | {
      readonly kind: "conditional";
      readonly condition: Step;
      readonly left: SelectionPath;
      readonly right: SelectionPath;
    };

/** One selection of a path. */
export interface Selection {
  /** The key, if it is known before evaluation. */
  readonly key: CelValue | undefined;
  /** Computes the key, where it is not known. The value that a variable of it starts with costs nothing. */
  readonly index?: Step | undefined;
  /** True: an element that is not there is an absent value, and no error. */
  readonly isOptional: boolean;
  /** True: the selection returns whether the element is there. */
  readonly isTest: boolean;
  /** The JSON member of an object of a declared type, which need not have the name of the field. */
  readonly member?: string | undefined;
  /** Converts the element as its declared type asks. */
  readonly read?: ValueReader | undefined;
  /** True if an element that is null is not there. */
  readonly isAbsentIfNull?: boolean | undefined;
}

/**
 * A variable or another value, and selections from it: `a.b[c].d`. v1.29 evaluates such a path as one, which shows in its
 * cost and in the way in which one optional selection makes all after it optional.
 */
export interface SelectionPath {
  readonly root: PathRoot;
  readonly selections: readonly Selection[];
  /** Returns a step that does the same and tells an observer of it. A path with more selections is another node. */
  readonly observe?: ((step: Step) => Step) | undefined;
}

/** Returns the path with one more selection. On a conditional it is made of the branch that is taken. */
export function withSelection(path: SelectionPath, selection: Selection): SelectionPath {
  const { root } = path;
  if (root.kind === "conditional") {
    const left = withSelection(root.left, selection);
    return { root: { ...root, left, right: withSelection(root.right, selection) }, selections: [] };
  }
  return { root, selections: [...path.selections, selection] };
}

/** Returns the step that evaluates a path as a node. Reading the root costs 1, unless the root is a conditional. */
export function evaluatePath(path: SelectionPath): Step {
  return resolvePath(path, costOfRoot(path));
}

/** Returns the step that evaluates a path whose last selection tests whether an element is there: `has(a.b)`. */
export function evaluateTest(path: SelectionPath, presenceTestCost: 0 | 1): Step {
  const resolve = resolvePath(path, costOfRoot(path) - 1 + presenceTestCost);
  return (frame) => {
    const outcome = resolve(frame);
    return outcome instanceof Optional ? outcome.value !== undefined : outcome;
  };
}

function costOfRoot({ root }: SelectionPath): 0 | 1 {
  return root.kind === "conditional" || (root.kind === "value" && root.isFree) ? 0 : 1;
}

/** Returns the step that evaluates a path as a branch of a conditional or as a key, where its root costs nothing. */
export function evaluateBranch(path: SelectionPath): Step {
  const step = resolvePath(path, 0);
  return path.observe?.(step) ?? step;
}

function resolvePath(path: SelectionPath, rootCost: number): Step {
  const { root, selections } = path;
  if (root.kind === "conditional") {
    return resolveConditional(root, rootCost);
  }
  const rootStep = stepOfRoot(root);
  if (selections.length === 0) {
    return rootCost === 0
      ? rootStep
      : (frame) => {
          const value = rootStep(frame);
          frame.charge(rootCost);
          return value;
        };
  }
  const general: Step = (frame) => {
    const value = rootStep(frame);
    const outcome = isError(value) ? value : selectAll(frame, value, selections);
    frame.charge(rootCost);
    return outcome;
  };
  return fastPath(root, rootStep, selections, rootCost, general);
}

function resolveConditional(root: PathRoot & { readonly kind: "conditional" }, rootCost: number): Step {
  const { condition } = root;
  const left = evaluateBranch(root.left);
  const right = evaluateBranch(root.right);
  return (frame) => {
    const chosen = condition(frame);
    const outcome = chosen === true ? left(frame) : chosen === false ? right(frame) : notBoolean(chosen);
    if (rootCost !== 0) {
      frame.charge(rootCost);
    }
    return outcome;
  };
}

function stepOfRoot(root: Exclude<PathRoot, { kind: "conditional" }>): Step {
  switch (root.kind) {
    case "slot": {
      const { slot } = root;
      return (frame) => frame.slots[slot] as Outcome;
    }
    case "value":
      return root.run;
    case "variable":
      return variableStep(root.name);
  }
}

function variableStep(name: string): Step {
  const missing = new EvaluationError(`no such attribute(s): ${name}`);
  if (isInherited(name)) {
    return ({ variables }) => {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      return value === undefined ? missing : value;
    };
  }
  return (frame) => {
    const value = frame.variables[name];
    return value === undefined ? missing : value;
  };
}

/**
 * Returns a step for paths of plain members of JSON, such as `object.spec.replicas`, which counts the cost of a whole path
 * at once. Whatever is not there, null or something else is left to the general step. Returns that for other paths.
 */
function fastPath(
  root: PathRoot,
  rootStep: Step,
  selections: readonly Selection[],
  rootCost: number,
  general: Step,
): Step {
  const isPlain = ({ key, isOptional, isTest, read, member }: Selection) =>
    typeof key === "string" && !isInherited(member ?? key) && !isOptional && !isTest && read === undefined;
  const last = selections.at(-1);
  const isPlainTest = last?.isTest === true && isPlain({ ...last, isTest: false });
  if (
    root.kind === "value" ||
    !selections.every((selection) => isPlain(selection) || (selection === last && isPlainTest))
  ) {
    return general;
  }
  const names = selections.map(({ key, member }) => member ?? (key as string));
  const cost = names.length + rootCost;
  return isPlainTest ? testMembers(rootStep, names, cost, general) : selectMembers(rootStep, names, cost, general);
}

function selectMembers(rootStep: Step, names: readonly string[], cost: number, general: Step): Step {
  const [first = "", second = "", third = ""] = names;
  switch (names.length) {
    case 1:
      return (frame) => {
        const value = plainMember(rootStep(frame), first);
        return value === undefined || value === null ? general(frame) : charged(frame, cost, value);
      };
    case 2:
      return (frame) => {
        const value = plainMember(plainMember(rootStep(frame), first), second);
        return value === undefined || value === null ? general(frame) : charged(frame, cost, value);
      };
    case 3:
      return (frame) => {
        const value = plainMember(plainMember(plainMember(rootStep(frame), first), second), third);
        return value === undefined || value === null ? general(frame) : charged(frame, cost, value);
      };
    default:
      return (frame) => {
        let value: unknown = rootStep(frame);
        for (let index = 0; index < names.length; index++) {
          value = plainMember(value, names[index] as string);
        }
        return value === undefined || value === null ? general(frame) : charged(frame, cost, value as CelValue);
      };
  }
}

function testMembers(rootStep: Step, names: readonly string[], cost: number, general: Step): Step {
  const last = names.length - 1;
  const name = names[last] as string;
  return (frame) => {
    let container: unknown = rootStep(frame);
    for (let index = 0; index < last; index++) {
      container = plainMember(container, names[index] as string);
    }
    if (!isPlainObject(container)) {
      return general(frame);
    }
    const value = container[name];
    return value === null ? general(frame) : charged(frame, cost, value !== undefined);
  };
}

function charged(frame: Frame, cost: number, value: CelValue): CelValue {
  frame.charge(cost);
  return value;
}

/** Makes all selections of a path, counting each. */
function selectAll(frame: Frame, root: CelValue, selections: readonly Selection[]): Outcome {
  let value = root;
  let isOptional = root instanceof Optional;
  if (root instanceof Optional) {
    if (root.value === undefined) {
      return root;
    }
    value = root.value;
  }
  for (const selection of selections) {
    isOptional ||= selection.isOptional;
    const selected = isOptional ? selectIfPresent(frame, value, selection) : select(frame, value, selection);
    if (selected === undefined) {
      return new Optional(undefined);
    }
    if (isError(selected)) {
      return selected;
    }
    value = selected;
  }
  return isOptional ? new Optional(value) : value;
}

function select(frame: Frame, container: CelValue, selection: Selection): Outcome {
  const key = keyOf(frame, selection);
  const found = isError(key) ? key : elementOf(container, key, selection);
  frame.charge(1);
  if (selection.isTest && (found === undefined || !isError(found))) {
    return found !== undefined;
  }
  return found === undefined ? missingElement(container, key as CelValue) : found;
}

function selectIfPresent(frame: Frame, container: CelValue, selection: Selection): Outcome | undefined {
  const key = keyOf(frame, selection);
  const found = isError(key) ? key : elementOf(container, key, selection);
  if (found !== undefined && !isError(found)) {
    frame.charge(1);
  }
  return found;
}

function keyOf(frame: Frame, { key, index }: Selection): Outcome {
  return key === undefined && index !== undefined ? index(frame) : (key as CelValue);
}

function elementOf(
  container: CelValue,
  key: CelValue,
  { member, read, isAbsentIfNull }: Selection,
): Outcome | undefined {
  try {
    checkKey(key);
    const found = findElement(container, member === undefined || container instanceof CelObject ? key : member);
    if (found === null && isAbsentIfNull === true) {
      return undefined;
    }
    return found === undefined || read === undefined ? found : read(found);
  } catch (thrown) {
    return caughtError(thrown);
  }
}
