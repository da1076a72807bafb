import { encodeJson, sortMembers } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { type FieldSet, inOrderOfNumbers } from "./field-set.js";

/** Characters of all texts whose sets are remembered: what a hundred large objects have that are not alike. */
const maxCharacters = 1024 * 1024;

/** Forgets everything when it holds too much: what is used again is remembered again. */
class Remembered<T> {
  readonly #found = new Map<string, T>();
  #characters = 0;

  get(text: string): T | undefined {
    return this.#found.get(text);
  }

  set(text: string, found: T): void {
    if (text.length > maxCharacters / 16) {
      return;
    }
    if (this.#characters > maxCharacters) {
      this.#found.clear();
      this.#characters = 0;
    }
    this.#characters += text.length;
    this.#found.set(text, found);
  }
}

const sets = new Remembered<FieldSet>();
const texts = new WeakMap<FieldSet, string>();
const sortedTexts = new Remembered<string>();

/** Returns the set that the server has written as this text. It is shared, as all sets are. */
export function setOfText(text: string): FieldSet {
  let set = sets.get(text);
  if (set === undefined) {
    const parsed = JSON.parse(text) as FieldSet;
    set = inOrderOfNumbers(parsed);
    sets.set(text, set);
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
  let sorted = sortedTexts.get(text);
  if (sorted === undefined) {
    sorted = encodeJson(sortMembers(JSON.parse(text) as JsonObject));
    sortedTexts.set(text, sorted);
  }
  return sorted;
}

function remember(text: string, set: FieldSet): void {
  texts.set(set, text);
  sets.set(text, inOrderOfNumbers(set));
}
