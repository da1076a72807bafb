import type { JsonObject } from "../json/json.js";

/*
 * A list or map that a client sends empty is not written where it may be left out, an amount that was not sent is written as 0,
 * and one that was sent in another notation than the canonical one is written in that. In memory v1.29 tells these apart, and
 * shows so in messages. What was sent is noted beside the decoded object, as long as it lives.
 */

const emptied = new WeakMap<JsonObject, readonly string[]>();
const amounts = new WeakMap<JsonObject, Map<string, string>>();

/** The number of further notes that may be made on one document: a large one could hold hundreds of thousands. */
export interface NotesLeft {
  left: number;
}

/** The limit of notes on one document: as many as a person could read about. */
export const maxMemberNotes = 1_000;

/** Notes that a list or map was sent empty, or that an amount was not sent. */
export function noteMember(object: JsonObject, member: string, notes: NotesLeft): void {
  if (notes.left > 0) {
    notes.left--;
    emptied.set(object, [...(emptied.get(object) ?? []), member]);
  }
}

/** Notes the text of an amount as it was sent. */
export function noteAmount(object: JsonObject, member: string, text: string, notes: NotesLeft): void {
  if (notes.left > 0) {
    notes.left--;
    const texts = amounts.get(object);
    if (texts === undefined) {
      amounts.set(object, new Map([[member, text]]));
    } else {
      texts.set(member, text);
    }
  }
}

/** Reports whether the client sent this member of a decoded object as an empty list or map. */
export function wasSentEmpty(object: JsonObject, member: string): boolean {
  return isNoted(object, member);
}

/** Reports whether the client did not send this amount, which a decoded object has as 0. */
export function isAmountUnsent(object: JsonObject, member: string): boolean {
  return isNoted(object, member);
}

/** Returns the texts of the amounts of a decoded object that were not sent in canonical notation; undefined for none. */
export function sentAmounts(object: JsonObject): ReadonlyMap<string, string> | undefined {
  return amounts.get(object);
}

function isNoted(object: JsonObject, member: string): boolean {
  return emptied.get(object)?.includes(member) === true;
}

/** Removes the note that a member was sent empty. */
export function forgetEmptied(object: JsonObject, member: string): void {
  const members = emptied.get(object);
  if (members !== undefined) {
    emptied.set(
      object,
      members.filter((name) => name !== member),
    );
  }
}

/** Copies the notes on an object to its copy. */
export function copyMemberNotes(from: JsonObject, to: JsonObject): void {
  const members = emptied.get(from);
  if (members !== undefined) {
    emptied.set(to, members);
  }
  const sent = amounts.get(from);
  if (sent !== undefined) {
    amounts.set(to, new Map(sent));
  }
}
