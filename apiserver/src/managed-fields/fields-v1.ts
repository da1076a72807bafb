import { isJsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { type FieldSet, inOrder, isEmpty, isMember, nodeOf, noFields, self } from "./field-set.js";
import { FieldsError } from "./fields-error.js";
import { type PathElement, parsePathElement } from "./path-element.js";

/**
 * Reads fieldsV1 that a client has sent, as v1.29 does: elements in any order, unknown sorts left out, null as empty.
 * Throws FieldsError. For what the server has written itself the value is the set.
 */
export function parseFieldsV1(value: JsonValue | undefined): FieldSet {
  const { children } = parseNode(value ?? null);
  return children;
}

interface Node {
  readonly children: FieldSet;
  readonly member: boolean;
}

const leaf: Node = { children: noFields, member: true };

function parseNode(value: JsonValue): Node {
  if (value === null) {
    return leaf;
  }
  if (!isJsonObject(value)) {
    throw new FieldsError("ReadMapCB: expect { or n");
  }
  const children: Record<PathElement, FieldSet> = {};
  let member = false;
  for (const text in value) {
    if (text === self) {
      member = true;
      continue;
    }
    const element = parsePathElement(text);
    if (element === undefined) {
      continue;
    }
    const child = parseNode(value[text] ?? null);
    const before = children[element];
    // An element written twice has the children of the last, and is a field if either says so.
    const isField = child.member || (before !== undefined && isMember(before));
    const node = nodeOf(isEmpty(child.children) && before !== undefined ? before : child.children, isField);
    if (node !== undefined) {
      children[element] = node;
    }
  }
  return isEmpty(children) ? leaf : { children: inOrder(children), member };
}
