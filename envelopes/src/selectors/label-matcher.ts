import { type LabelRequirement, type Labels, parseInt64 } from "./label-requirement.js";

/*
 * A selector as a test that costs the same however often a client repeats itself: requirements are grouped by key, and
 * values are sets. What is left grows with the number of keys that one object has, or that the selector names.
 */

/** The combined demands of all requirements on one key. */
interface KeyTest {
  readonly key: string;
  /** True if the key must be there. */
  isRequired: boolean;
  isForbidden: boolean;
  /** The allowed values; undefined when any is allowed. */
  allowed: Set<string> | undefined;
  denied: Set<string> | undefined;
  above: bigint | undefined;
  below: bigint | undefined;
}

/**
 * The number of keys up to which a selector looks each of them up; with more, each label of the object is looked up.
 */
const fewKeys = 16;

/** Returns the conjunction of requirements as a test of labels, prepared so that testing allocates nothing. */
export function labelMatcher(requirements: readonly LabelRequirement[]): (labels: Labels) => boolean {
  const tests = new Map<string, KeyTest>();
  for (const requirement of requirements) {
    let test = tests.get(requirement.key);
    if (test === undefined) {
      test = newKeyTest(requirement.key);
      tests.set(requirement.key, test);
    }
    addRequirement(test, requirement);
  }
  const all = [...tests.values()];
  if (all.length <= fewKeys) {
    return (labels) => matchesByKey(all, labels);
  }
  const requiredCount = all.filter((test) => test.isRequired).length;
  return (labels) => matchesByLabel(tests, requiredCount, labels);
}

function newKeyTest(key: string): KeyTest {
  return {
    key,
    isRequired: false,
    isForbidden: false,
    allowed: undefined,
    denied: undefined,
    above: undefined,
    below: undefined,
  };
}

function addRequirement(test: KeyTest, { operator, values }: LabelRequirement): void {
  switch (operator) {
    case "!":
      test.isForbidden = true;
      return;
    case "notin":
    case "!=":
      test.denied ??= new Set();
      for (const value of values) {
        test.denied.add(value);
      }
      return;
    case "in":
    case "=":
    case "==":
      test.isRequired = true;
      test.allowed = test.allowed === undefined ? new Set(values) : common(test.allowed, values);
      return;
    case "exists":
      test.isRequired = true;
      return;
    case "gt":
    case "lt":
      test.isRequired = true;
      addBound(test, operator, parseInt64(values[0] ?? ""));
  }
}

function common(allowed: ReadonlySet<string>, values: readonly string[]): Set<string> {
  return new Set(values.filter((value) => allowed.has(value)));
}

function addBound(test: KeyTest, operator: "gt" | "lt", bound: bigint | undefined): void {
  if (bound === undefined) {
    // Nothing is larger or smaller than what is no number.
    test.isForbidden = true;
  } else if (operator === "gt") {
    test.above = test.above === undefined || bound > test.above ? bound : test.above;
  } else {
    test.below = test.below === undefined || bound < test.below ? bound : test.below;
  }
}

function matchesByKey(tests: readonly KeyTest[], labels: Labels): boolean {
  for (const test of tests) {
    if (!passes(test, labels[test.key])) {
      return false;
    }
  }
  return true;
}

function matchesByLabel(tests: ReadonlyMap<string, KeyTest>, requiredCount: number, labels: Labels): boolean {
  let found = 0;
  for (const key in labels) {
    const test = tests.get(key);
    if (test === undefined) {
      continue;
    }
    if (!passes(test, labels[key])) {
      return false;
    }
    found += test.isRequired ? 1 : 0;
  }
  return found === requiredCount;
}

/**
 * Reports whether a value passes a test. Labels are strings. A value from the prototype is not, so no own-property
 * check is needed.
 */
function passes(test: KeyTest, value: unknown): boolean {
  if (typeof value !== "string") {
    return !test.isRequired;
  }
  if (test.isForbidden || test.allowed?.has(value) === false || test.denied?.has(value) === true) {
    return false;
  }
  return (test.above === undefined && test.below === undefined) || isBetween(test, value);
}

function isBetween({ above, below }: KeyTest, text: string): boolean {
  const value = parseInt64(text);
  return value !== undefined && (above === undefined || value > above) && (below === undefined || value < below);
}
