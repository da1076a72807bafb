import { comparePathElements, isPlainMember, type PathElement } from "./path-element.js";

/**
 * A set of fields in the form of fieldsV1: a tree of path elements in order. A node without members is a field of the
 * set; one with members is a field only if the first of them is `.`. Sets are immutable and share equal parts: an
 * operation that changes nothing returns the set that it was given. The root itself is never a field.
 */
export interface FieldSet {
  readonly [element: PathElement]: FieldSet;
}

/** The set without fields, and the node of a single field without others below it. */
export const noFields: FieldSet = Object.freeze({});

/** The member of a node that makes it a field of the set. */
export const self = ".";

/** Reports whether a set has no field, or a node has none below it. */
export function isEmpty(set: FieldSet): boolean {
  for (const element in set) {
    if (element !== self) {
      return false;
    }
  }
  return true;
}

/**
 * Reports whether two sets have the same fields, in the same order. Costs little where they share most of their nodes.
 */
export function isSameSet(a: FieldSet, b: FieldSet): boolean {
  if (a === b) {
    return true;
  }
  const elements = Object.keys(a);
  const others = Object.keys(b);
  return (
    elements.length === others.length &&
    elements.every((element, i) => element === others[i] && isSameSet(a[element] as FieldSet, b[element] as FieldSet))
  );
}

/** Reports whether an existing node stands for a field of the set. */
export function isMember(node: FieldSet): boolean {
  return self in node || isEmpty(node);
}

/** Returns the part below a node as a set; the node itself when it has no mark of its own. */
export function below(node: FieldSet): FieldSet {
  if (!(self in node)) {
    return node;
  }
  const { [self]: _self, ...rest } = node;
  return rest;
}

/** Makes a node of the nodes below it and of whether it is a field of the set. Undefined when it would be empty. */
export function nodeOf(children: FieldSet, member: boolean): FieldSet | undefined {
  if (isEmpty(children)) {
    return member ? noFields : undefined;
  }
  return member ? { [self]: noFields, ...children } : children;
}

/** Reports whether the field at a path belongs to the set. */
export function hasField(set: FieldSet, path: readonly PathElement[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) {
    node = node?.[element];
  }
  return node !== undefined && node !== set && isMember(node);
}

/** Returns the set of one field. */
export function fieldAt(path: readonly PathElement[]): FieldSet {
  return path.reduceRight<FieldSet>((node, element) => ({ [element]: node }), noFields);
}

/** Returns the set of the fields at these paths. */
export function fieldsAt(paths: readonly (readonly PathElement[])[]): FieldSet {
  return paths.reduce<FieldSet>((set, path) => union(set, fieldAt(path)), noFields);
}

/** Returns the fields of either set. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(b) || a === b) {
    return a;
  }
  if (isEmpty(a)) {
    return b;
  }
  const changed: Record<PathElement, FieldSet> = {};
  let hasChanged = false;
  let hasNew = false;
  for (const element in b) {
    const other = b[element] as FieldSet;
    const own = a[element];
    const node = own === undefined ? other : uniteNodes(own, other);
    if (node !== own) {
      changed[element] = node;
      hasChanged = true;
      hasNew ||= own === undefined;
    }
  }
  if (!hasChanged) {
    return a;
  }
  const all = { ...a, ...changed };
  return hasNew ? inOrder(all) : all;
}

function uniteNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) {
    return a;
  }
  const united = union(a, b);
  // A leaf is a field without a mark; once there are fields below it, it needs one.
  const lacksMark = !isEmpty(united) && !(self in united) && (isMember(a) || isMember(b));
  return lacksMark ? { [self]: noFields, ...united } : united;
}

/** Returns the set with its top elements in order. */
export function inOrder(set: FieldSet): FieldSet {
  const elements = Object.keys(set);
  let isOrdered = true;
  for (let i = 1; i < elements.length && isOrdered; i++) {
    isOrdered = compareElements(elements[i - 1] as string, elements[i] as string) < 0;
  }
  if (isOrdered) {
    return set;
  }
  const ordered: Record<PathElement, FieldSet> = {};
  // The sort without a function is several times as fast, and a map may have as many members as a body.
  const hasPlainOrder = elements.every((element) => element === self || isPlainMember(element));
  for (const element of hasPlainOrder ? elements.sort() : elements.sort(compareElements)) {
    ordered[element] = set[element] as FieldSet;
  }
  return ordered;
}

/**
 * Returns a set in the order of its texts, which a write of /scale leaves, in proper order at every level: the orders
 * differ only for elements with numbers.
 */
export function inOrderOfNumbers(set: FieldSet): FieldSet {
  let changed: Record<PathElement, FieldSet> | undefined;
  let hasNumbers = false;
  for (const element in set) {
    hasNumbers ||= element[0] !== "f" && numericElement.test(element);
    const node = set[element] as FieldSet;
    const ordered = inOrderOfNumbers(node);
    if (ordered !== node) {
      changed ??= { ...set };
      changed[element] = ordered;
    }
  }
  return hasNumbers ? inOrder(changed ?? set) : (changed ?? set);
}

const numericElement = /^(?:i:|v:-?\d|k:.*":-?\d)/;

/**
 * Returns the set with its elements ordered by their texts at every level, as v1.29 writes it where it takes objects
 * for maps.
 */
export function inTextOrder(set: FieldSet): FieldSet {
  const ordered: Record<PathElement, FieldSet> = {};
  for (const element of Object.keys(set).sort()) {
    ordered[element] = inTextOrder(set[element] as FieldSet);
  }
  return ordered;
}

function compareElements(a: PathElement, b: PathElement): number {
  return a === self ? -1 : b === self ? 1 : comparePathElements(a, b);
}

/** Returns the fields of both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const common: Record<PathElement, FieldSet> = {};
  for (const element in a) {
    const [own, other] = [a[element] as FieldSet, b[element]];
    if (element !== self && other !== undefined) {
      const member = isMember(own) && isMember(other);
      const node = nodeOf(intersection(own, other), member);
      if (node !== undefined) {
        common[element] = node;
      }
    }
  }
  return common;
}

/** Returns the fields of `a` that are not in `b`. Fields below a field of `b` stay. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, false);
}

/** Returns the fields of `a` that are neither in `b` nor below a field of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, true);
}

function without(a: FieldSet, b: FieldSet, recursive: boolean): FieldSet {
  if (isEmpty(b)) {
    return a;
  }
  let rest: Record<PathElement, FieldSet> | undefined;
  // The smaller of the two decides what is looked at: most changes are small.
  for (const element in b) {
    const own = a[element];
    if (own === undefined || element === self) {
      continue;
    }
    const node = nodeWithout(own, b[element] as FieldSet, recursive);
    if (node !== own) {
      rest ??= { ...a };
      if (node === undefined) {
        delete rest[element];
      } else {
        rest[element] = node;
      }
    }
  }
  return rest ?? a;
}

function nodeWithout(own: FieldSet, other: FieldSet, recursive: boolean): FieldSet | undefined {
  if (recursive && isMember(other)) {
    return undefined;
  }
  const rest = without(own, other, recursive);
  const wasMember = isMember(own);
  const member = wasMember && !isMember(other);
  if (rest === own && member === wasMember) {
    return own;
  }
  return isEmpty(rest) || !member ? nodeOf(below(rest), member) : rest;
}

/** Yields the paths of all fields, each before those below it. */
export function* pathsOf(set: FieldSet, prefix: readonly PathElement[] = []): Generator<readonly PathElement[]> {
  const elements = Object.keys(set).filter((element) => element !== self);
  for (const element of elements) {
    if (isMember(set[element] as FieldSet)) {
      yield [...prefix, element];
    }
  }
  for (const element of elements) {
    yield* pathsOf(set[element] as FieldSet, [...prefix, element]);
  }
}
