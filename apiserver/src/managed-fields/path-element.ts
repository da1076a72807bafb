import { TextMemo } from "@gatehouse/component-base/collections";
import { encodeJson } from "@gatehouse/envelopes/codec";
import { goQuote, goValueText } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { FieldsError } from "./fields-error.js";

/**
 * One step on the way to a field, as fieldsV1 writes it: `f:<name>` a member, `k:<JSON object>` the item of a list with
 * these keys, `v:<JSON>` that item of a set, `i:<index>` an item by its place. Elements that mean the same have the same text.
 */
export type PathElement = string;

/** Returns the element of the member with this name. */
export function memberElement(name: string): PathElement {
  return `f:${name}`;
}

/** Returns the element of an item of a set. */
export function valueElement(item: JsonValue): PathElement {
  return `v:${scalarText(item)}`;
}

/** Returns the element of the item with these keys. `names` are in order, and `values` has the value of each. */
export function keyElement(names: readonly string[], values: readonly JsonValue[]): PathElement {
  let text = "k:{";
  for (let i = 0; i < names.length; i++) {
    text += `${i === 0 ? "" : ","}${JSON.stringify(names[i])}:${scalarText(values[i] as JsonValue)}`;
  }
  return `${text}}`;
}

const plainText = /^[ !#-%'-;=?-[\]-~]*$/;

/** Reports whether a text can be written into JSON as it is, without escapes. */
export function isPlainText(text: string): boolean {
  return plainText.test(text);
}

function scalarText(value: JsonValue): string {
  return typeof value === "string" && plainText.test(value) ? `"${value}"` : encodeJson(value);
}

/** Elements by text: most keys that are read name the same few containers, ports and volumes. */
const known = new TextMemo<PathElement>(400_000);

/**
 * Returns the element that a text in fieldsV1 stands for, in its canonical form; undefined for an unknown sort, which a
 * later release may have. Throws FieldsError for an invalid element.
 */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.startsWith("f:")) {
    return text;
  }
  const before = known.get(text);
  if (before !== undefined) {
    return before;
  }
  const element = parseAnew(text);
  return element === undefined ? undefined : known.keep(text, element);
}

function parseAnew(text: string): PathElement | undefined {
  if (text.length < 2) {
    throw new FieldsError("parsing key as path element: key must be 2 characters long:");
  }
  if (text[1] !== ":") {
    throw new FieldsError(`parsing key as path element: missing colon: ${text}`);
  }
  const content = text.slice(2);
  switch (text[0]) {
    case "v":
      return `v:${encodeJson(parseContent(content))}`;
    case "k": {
      const keys = parseContent(content);
      return keyElement(...sortedKeys(isJsonObject(keys) ? keys : {}));
    }
    case "i":
      if (!/^[+-]?\d+$/.test(content)) {
        throw new FieldsError(`parsing key as path element: strconv.Atoi: parsing ${goQuote(content)}: invalid syntax`);
      }
      return `i:${Number(content)}`;
    default:
      return undefined;
  }
}

function parseContent(content: string): JsonValue {
  try {
    return JSON.parse(content) as JsonValue;
  } catch (error) {
    throw new FieldsError("parsing key as path element: invalid JSON", { cause: error });
  }
}

function sortedKeys(keys: JsonObject): [string[], JsonValue[]] {
  const names = Object.keys(keys).sort(compareTexts);
  return [names, names.map((name) => keys[name] as JsonValue)];
}

const order = "fkvi";

/** Compares elements in the order of fieldsV1: members by name, then items by keys, by value, by place. */
export function comparePathElements(a: PathElement, b: PathElement): number {
  if (a === b) {
    return 0;
  }
  const sort = a[0] as string;
  if (sort !== b[0]) {
    return order.indexOf(sort) - order.indexOf(b[0] as string);
  }
  if (sort === "f") {
    return compareTexts(a, b);
  }
  if (sort === "i") {
    return Number(a.slice(2)) - Number(b.slice(2));
  }
  const texts = plainKeyTexts([a, b]);
  return texts === undefined
    ? compareValues(contentOf(a), contentOf(b))
    : compareTexts(texts[0] as string, texts[1] as string);
}

const keyStart = /^k:\{"[^"\\]*":"/;

/**
 * Returns the texts by which keys are ordered that differ in one plain text only; this needs no parser, and most lists
 * have such keys. Undefined for other keys, or for texts that are not ordered as they are written.
 */
export function plainKeyTexts(elements: readonly PathElement[]): readonly string[] | undefined {
  const start = keyStart.exec(elements[0] ?? "")?.[0];
  if (start === undefined) {
    return undefined;
  }
  const texts: string[] = [];
  for (const element of elements) {
    const text = element.slice(start.length, -2);
    if (!element.startsWith(start) || !element.endsWith('"}') || !plainText.test(text)) {
      return undefined;
    }
    texts.push(text);
  }
  return texts;
}

/** Compares keys as lists: first the first name, then its value. */
function compareValues(a: JsonValue, b: JsonValue): number {
  if (isJsonObject(a) && isJsonObject(b)) {
    const [aNames, aValues] = sortedKeys(a);
    const [bNames, bValues] = sortedKeys(b);
    for (let i = 0; i < aNames.length && i < bNames.length; i++) {
      const difference =
        compareTexts(aNames[i] as string, bNames[i] as string) ||
        compareValues(aValues[i] as JsonValue, bValues[i] as JsonValue);
      if (difference !== 0) {
        return difference;
      }
    }
    return aNames.length - bNames.length;
  }
  const [aRank, bRank] = [rankOf(a), rankOf(b)];
  if (aRank !== bRank) {
    return aRank - bRank;
  }
  if (typeof a === "string" && typeof b === "string") {
    return compareTexts(a, b);
  }
  return Number(a) - Number(b);
}

/** Returns the rank of a value by its type: numbers, texts, booleans, then the rest. */
function rankOf(value: JsonValue): number {
  const rank = ["number", "string", "boolean"].indexOf(typeof value === "bigint" ? "number" : typeof value);
  return rank === -1 ? 3 : rank;
}

/** Compares texts by their bytes in UTF-8, as Go does. */
function compareTexts(a: string, b: string): number {
  if (surrogates.test(a) || surrogates.test(b)) {
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Reports whether an element is a member whose place among others like it is that of its text in any encoding. */
export function isPlainMember(element: PathElement): boolean {
  return element.startsWith("f:") && !surrogates.test(element);
}

const surrogates = /[\ud800-\udfff]/;

function contentOf(element: PathElement): JsonValue {
  return JSON.parse(element.slice(2)) as JsonValue;
}

/** Returns a path element as messages write it: `.name`, `[name="x"]`, `[="x"]`, `[0]`. */
export function describePathElement(element: PathElement): string {
  switch (element[0]) {
    case "f":
      return `.${element.slice(2)}`;
    case "k": {
      const [names, values] = sortedKeys(contentOf(element) as JsonObject);
      return `[${names.map((name, i) => `${name}=${describeValue(values[i] as JsonValue)}`).join(",")}]`;
    }
    case "v":
      return `[=${describeValue(contentOf(element))}]`;
    default:
      return `[${element.slice(2)}]`;
  }
}

function describeValue(value: JsonValue): string {
  return typeof value === "string" ? goQuote(value) : value === null ? "null" : goValueText(value);
}
