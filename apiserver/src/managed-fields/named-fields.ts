import { below, type FieldSet, inOrder, isEmpty, isMember, nodeOf, noFields, self } from "./field-set.js";
import { deduced, type MergeType } from "./merge-type.js";
import type { PathElement } from "./path-element.js";

/**
 * Returns the set with the structs that lead to its fields: no manager claims these for themselves, but when the fields
 * inside of them go, they may have to go, too.
 */
export function withNamedFields(type: MergeType | undefined, set: FieldSet): FieldSet {
  const out: Record<PathElement, FieldSet> = {};
  for (const element in set) {
    if (element === self) {
      continue;
    }
    const node = set[element] as FieldSet;
    if (isEmpty(node)) {
      out[element] = node;
      continue;
    }
    const isNamed = element.startsWith("f:") && type?.map?.member(element.slice(2)) !== undefined;
    const children = withNamedFields(typeBelow(type, element), below(node));
    out[element] = nodeOf(children, isNamed || isMember(node)) as FieldSet;
  }
  return inOrder(out);
}

function typeBelow(type: MergeType | undefined, element: PathElement): MergeType | undefined {
  if (element.startsWith("f:")) {
    return type?.map?.member(element.slice(2)) ?? type?.map?.others;
  }
  return element.startsWith("k:") ? type?.list?.items : undefined;
}

/**
 * Returns the set as the current schema requires it: an owner of a part of a value that has become atomic owns all of
 * the value, and no part. The same set when nothing is to be changed.
 */
export function reconcileWithType(type: MergeType, set: FieldSet): FieldSet {
  let out: Record<PathElement, FieldSet> | undefined;
  for (const element in set) {
    const node = set[element] as FieldSet;
    if (element === self || isEmpty(node)) {
      continue;
    }
    const inner = typeForChild(type, element);
    const reconciled = inner === undefined ? node : reconcileNode(inner, node);
    if (reconciled !== node) {
      out ??= { ...set };
      out[element] = reconciled;
    }
  }
  return out ?? set;
}

function reconcileNode(type: MergeType, node: FieldSet): FieldSet {
  if (type.map !== undefined) {
    if (type.map.others === deduced && !type.map.hasMembers) {
      return node;
    }
    if (type.map.atomic) {
      return noFields;
    }
  } else if (type.list?.atomic === true) {
    return noFields;
  }
  return reconcileWithType(type, node);
}

/** Returns the type below an element. The map comes first where a type may have several forms, as everywhere. */
function typeForChild(type: MergeType, element: PathElement): MergeType | undefined {
  if (type.map !== undefined) {
    const name = element.startsWith("f:") ? element.slice(2) : undefined;
    return (name === undefined ? undefined : type.map.member(name)) ?? type.map.others;
  }
  return type.list?.items;
}
