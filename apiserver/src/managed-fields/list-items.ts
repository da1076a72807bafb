import { isJsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { FieldsError } from "./fields-error.js";
import type { ListMerge } from "./merge-type.js";
import { comparePathElements, keyElement, type PathElement, plainKeyTexts, valueElement } from "./path-element.js";

/**
 * Returns the path element that identifies an item of an associative list. Throws FieldsError when it has no identity.
 */
export function itemElement(list: ListMerge, item: JsonValue): PathElement {
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

function keyedElement({ keys }: ListMerge, item: JsonValue): PathElement {
  if (item === null) {
    throw new FieldsError("associative list with keys may not have a null element");
  }
  if (!isJsonObject(item)) {
    throw new FieldsError("associative list with keys may not have non-map elements");
  }
  const names: string[] = [];
  const values: JsonValue[] = [];
  let missing: (typeof keys)[number] | undefined;
  for (const key of keys) {
    const value = item[key.name] ?? (item[key.name] === null ? null : key.default);
    if (value !== undefined) {
      names.push(key.name);
      values.push(value);
    } else if (missing === undefined || key.place < missing.place) {
      missing = key;
    }
  }
  if (missing !== undefined) {
    throw new FieldsError(
      `associative list with keys has an element that omits key field ${JSON.stringify(missing.name)} (and doesn't have default value)`,
    );
  }
  return keyElement(names, values);
}

function setElement(item: JsonValue): PathElement {
  if (item === null) {
    throw new FieldsError("associative list without keys has an element that's an explicit null");
  }
  if (Array.isArray(item)) {
    throw new FieldsError("not supported: associative list with lists as elements");
  }
  if (typeof item === "object") {
    throw new FieldsError("associative list without keys has an element that's a map type");
  }
  return valueElement(item);
}

/** Returns the elements of all items, in their order. */
export function itemElements(list: ListMerge, items: readonly JsonValue[]): PathElement[] {
  return items.map((item, index) => {
    try {
      return itemElement(list, item);
    } catch (error) {
      throw error instanceof FieldsError ? new FieldsError(`element ${index}: ${error.message}`) : error;
    }
  });
}

/** Returns the items by their elements, in the order that sets have: more than one under an element are duplicates. */
export function itemsByElement(list: ListMerge, items: readonly JsonValue[]): Map<PathElement, JsonValue[]> {
  const found = new Map<PathElement, JsonValue[]>();
  const elements = itemElements(list, items);
  for (const index of placesInOrder(elements)) {
    const element = elements[index] as PathElement;
    const item = items[index] as JsonValue;
    const others = found.get(element);
    if (others === undefined) {
      found.set(element, [item]);
    } else {
      others.push(item);
    }
  }
  return found;
}

/** Returns the places of elements in the order of the elements. Many lists are short or in order already. */
function placesInOrder(elements: readonly PathElement[]): Iterable<number> {
  if (elements.length < 2) {
    return elements.keys();
  }
  const texts = plainKeyTexts(elements);
  const compare =
    texts === undefined
      ? (a: number, b: number) => comparePathElements(elements[a] as PathElement, elements[b] as PathElement)
      : (a: number, b: number) => ((texts[a] as string) < (texts[b] as string) ? -1 : texts[a] === texts[b] ? 0 : 1);
  for (let i = 1; i < elements.length; i++) {
    if (compare(i - 1, i) > 0) {
      return [...elements.keys()].sort(compare);
    }
  }
  return elements.keys();
}
