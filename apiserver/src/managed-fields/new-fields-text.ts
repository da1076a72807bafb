import { TextMemo } from "@gatehouse/component-base/collections";
import { encodeJson } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { isPlainItem, isPlainlyOfType } from "./check-value.js";
import { memberType } from "./fields-of.js";
import { itemsByElement } from "./list-items.js";
import type { ListMerge, MapMerge, MergeType } from "./merge-type.js";
import { comparePathElements, isPlainText, memberElement } from "./path-element.js";
import { formOf, isSameValue, itemsOf, membersOf, ownMember, sortedNames } from "./typed-value.js";

/*
 * The fields that the creator of an object comes to own, written at once as the text that is stored. It is the text of
 * the set that `compareValues` and `allFieldsOf` would give, but most new objects have hundreds of fields, and to build a
 * set of them takes many times as long. The same walk checks the types of the values where objects may not fit their
 * schema. The text of a node is that between its braces.
 */

/** Members of a struct that are left out, by name. */
export type LeftOut = ReadonlyMap<string, LeftOut | "whole">;

/** The error for a value that the walk cannot describe: it has another form than the blank one, or does not fit its type. */
class NotPlainError extends Error {}

/** The comparison of a new object with a blank one of its kind. */
export interface NewObject {
  readonly type: MergeType;
  readonly blank: JsonObject;
  readonly object: JsonObject;
  readonly leftOut: LeftOut;
  /** True if the object may not fit its type. */
  readonly mayBeStale: boolean;
}

/**
 * Returns the fields of an object that differ from a blank one, as JSON. Undefined in the rare cases that need a
 * comparison of sets, among them objects that may not fit their type. Throws FieldsError when that cannot help either.
 */
export function newFieldsText({ type, blank, object, leftOut, mayBeStale }: NewObject): string | undefined {
  const { map } = type;
  if (map === undefined || map.atomic) {
    return undefined;
  }
  const writing = mayBeStale ? checkingTypes : trustingTypes;
  try {
    return `{${changedMembers(writing, map, blank, object, leftOut) ?? ""}}`;
  } catch (error) {
    if (error instanceof NotPlainError) {
      return undefined;
    }
    throw error;
  }
}

/** The checks of types that one walk makes. Each throws NotPlainError. */
interface Writing {
  /** Returns the empty node of a value that is owned as a whole. */
  leaf(type: MergeType, value: JsonValue): "";
  /** Checks that an item of a list has its identity. */
  checkItem(list: ListMerge, item: JsonValue): void;
}

const trustingTypes: Writing = { leaf: () => "", checkItem: () => undefined };

const checkingTypes: Writing = {
  leaf(type, value) {
    if (!isPlainlyOfType(type, value)) {
      throw new NotPlainError();
    }
    return "";
  },
  checkItem(list, item) {
    if (!isPlainItem(list, item)) {
      throw new NotPlainError();
    }
  },
};

/** Returns the node of the changed fields; undefined when nothing has changed. */
function changedNode(
  writing: Writing,
  type: MergeType,
  before: JsonValue,
  after: JsonValue,
  leftOut?: LeftOut,
): string | undefined {
  if (before === after) {
    return undefined;
  }
  const form = formOf(type, after);
  if (formOf(type, before) !== form) {
    throw new NotPlainError();
  }
  if (form === "map" && type.map?.atomic === false) {
    const [left, right] = [membersOf(before), membersOf(after)];
    if (left !== undefined || right !== undefined) {
      return changedMembers(writing, type.map, left ?? {}, right ?? {}, leftOut);
    }
  }
  if (form === "list" && type.list?.atomic === false) {
    const [left, right] = [itemsOf(before), itemsOf(after)];
    if (left !== undefined) {
      throw new NotPlainError();
    }
    if (right !== undefined) {
      return items(writing, type.list, right);
    }
  }
  return isSameValue(before, after) ? undefined : writing.leaf(type, after);
}

function changedMembers(
  writing: Writing,
  map: MapMerge,
  before: JsonObject,
  after: JsonObject,
  leftOut: LeftOut | undefined,
): string | undefined {
  const names: string[] = [];
  const nodes: string[] = [];
  for (const name in after) {
    const value = after[name];
    if (value === undefined) {
      continue;
    }
    const left = leftOut?.get(name);
    const known = ownMember(before, name);
    const type = memberType(map, name);
    const node =
      left instanceof Map
        ? changedNode(writing, type, known ?? {}, value, left)
        : known === undefined
          ? allOf(writing, type, value)
          : changedNode(writing, type, known, value);
    if (node !== undefined && left !== "whole") {
      names.push(name);
      nodes.push(node);
    }
  }
  return names.length === 0 ? undefined : inOrder(names, nodes);
}

function inOrder(names: readonly string[], nodes: readonly string[]): string {
  const places = [...names.keys()];
  if (names.some((name, i) => i > 0 && compareNames(names[i - 1] as string, name) > 0)) {
    places.sort((a, b) => compareNames(names[a] as string, names[b] as string));
  }
  return places.map((place) => member(names[place] as string, nodes[place] as string)).join(",");
}

function compareNames(a: string, b: string): number {
  return comparePathElements(memberElement(a), memberElement(b));
}

/** Returns the node of all fields that appear with a value. */
function allOf(writing: Writing, type: MergeType, value: JsonValue): string {
  const form = formOf(type, value);
  if (form === "map" && type.map?.atomic === false) {
    const object = membersOf(value);
    if (object !== undefined) {
      let text = itself;
      for (const name of sortedNames(object)) {
        text += `,${member(name, allOf(writing, memberType(type.map, name), object[name] as JsonValue))}`;
      }
      return text;
    }
  }
  if (form === "list" && type.list?.atomic === false) {
    const list = itemsOf(value);
    if (list !== undefined) {
      return `${itself},${items(writing, type.list, list)}`;
    }
  }
  return writing.leaf(type, value);
}

const itself = '".":{}';

function items(writing: Writing, list: ListMerge, values: readonly JsonValue[]): string {
  const plain = plainItems(writing, list, values);
  if (plain !== undefined) {
    return plain;
  }
  for (const item of values) {
    writing.checkItem(list, item);
  }
  const texts: string[] = [];
  for (const [element, same] of itemsByElement(list, values)) {
    // Duplicates are one field as a whole.
    const nodes = same.map((item) => allOf(writing, list.items, item));
    const node = nodes.length === 1 ? (nodes[0] as string) : "";
    texts.push(`${encodeJson(element)}:{${node}}`);
  }
  return texts.join(",");
}

/**
 * Returns the fields of a list of distinct plain texts, or of items whose only key is one, as most lists are. Undefined
 * for others.
 */
function plainItems(writing: Writing, list: ListMerge, values: readonly JsonValue[]): string | undefined {
  const key = list.keys[0]?.name;
  if (key === undefined) {
    return plainTexts(writing, list, values);
  }
  if (list.keys.length > 1 || !isPlainText(key)) {
    return undefined;
  }
  const keys: string[] = [];
  let isSorted = true;
  for (let i = 0; i < values.length; i++) {
    const item = values[i];
    const text = isJsonObject(item) ? item[key] : undefined;
    if (typeof text !== "string" || !isPlainText(text)) {
      return undefined;
    }
    isSorted &&= i === 0 || (keys[i - 1] as string) < text;
    keys.push(text);
  }
  const places = [...keys.keys()];
  if (!isSorted) {
    places.sort((a, b) => ((keys[a] as string) < (keys[b] as string) ? -1 : 1));
  }
  let out = "";
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as number;
    const text = keys[place] as string;
    if (i > 0 && keys[places[i - 1] as number] === text) {
      return undefined;
    }
    const node = allOf(writing, list.items, values[place] as JsonValue);
    out += `${i === 0 ? "" : ","}"k:{\\"${key}\\":\\"${text}\\"}":{${node}}`;
  }
  return out;
}

function plainTexts(writing: Writing, { items: type }: ListMerge, values: readonly JsonValue[]): string | undefined {
  return values.every((value) => typeof value === "string" && isPlainText(value) && writing.leaf(type, value) === "")
    ? [...new Set(values)]
        .sort()
        .map((text) => `"v:\\"${text}\\"":{}`)
        .join(",")
    : undefined;
}

function member(name: string, node: string): string {
  return `${memberText(name)}{${node}}`;
}

/** Texts by name: most names are those of the members of a few kinds. */
const known = new TextMemo<string>(400_000);

function memberText(name: string): string {
  return known.get(name) ?? known.keep(name, `${encodeJson(memberElement(name))}:`);
}
