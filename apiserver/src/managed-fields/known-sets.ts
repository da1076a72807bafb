import { TextMemo } from "@gatehouse/component-base/collections";
import { encodeJson, sortMembers } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { type FieldSet, inOrderOfNumbers } from "./field-set.js";

/** Characters of all texts whose sets are known: what a hundred large objects have that are not alike. */
const maxCharacters = 1024 * 1024;

const sets = new TextMemo<FieldSet>(maxCharacters);
const texts = new WeakMap<FieldSet, string>();
const sortedTexts = new TextMemo<string>(maxCharacters);

/** Returns the set that the server has written as this text. It is shared, as all sets are. */
export function setOfText(text: string): FieldSet {
  let set = sets.get(text);
  if (set === undefined) {
    const parsed = JSON.parse(text) as FieldSet;
    set = inOrderOfNumbers(parsed);
    sets.keep(text, set);
    if (set === parsed) {
      texts.set(set, text);
    }
  }
  return set;
}

/** Returns a set as `fieldsV1` in JSON. */
export function textOfSet(set: FieldSet): string {
  let text = texts.get(set);
  if (text === undefined) {
    text = encodeJson(set as JsonObject);
    remember(text, set);
  }
  return text;
}

/** Returns the text of a set with its members in the order of their bytes, as all members of custom objects are. */
export function inOrderOfBytes(text: string): string {
  return sortedTexts.get(text) ?? sortedTexts.keep(text, encodeJson(sortMembers(JSON.parse(text) as JsonObject)));
}

function remember(text: string, set: FieldSet): void {
  texts.set(set, text);
  sets.keep(text, inOrderOfNumbers(set));
}
