import type { JsonObject } from "../json/json.js";

/*
 * A list or map that a client sends empty is not written where it may be left out. In memory v1.29 tells it from one that
 * was not sent, and shows so in messages; the same goes for an amount that was not sent, which is written as 0. What is empty
 * so is noted beside the decoded object, as long as it lives.
 */

const emptied = new WeakMap<JsonObject, readonly string[]>();

/** The number of further members that may be noted in one document: a large one could hold hundreds of thousands. */
export interface EmptiedNotes {
  left: number;
}

/** The limit of noted members per document: as many as a person could read about. */
export const maxEmptiedNotes = 1_000;

/** Notes that a list or map was sent empty, or that an amount was not sent. */
export function noteMember(object: JsonObject, member: string, notes: EmptiedNotes): void {
  if (notes.left > 0) {
    notes.left--;
    emptied.set(object, [...(emptied.get(object) ?? []), member]);
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

function isNoted(object: JsonObject, member: string): boolean {
  return emptied.get(object)?.includes(member) === true;
}

/** Removes the note on a member. */
export function forgetEmptied(object: JsonObject, member: string): void {
  const members = emptied.get(object);
  if (members !== undefined) {
    emptied.set(
      object,
      members.filter((name) => name !== member),
    );
  }
}

/** Copies the notes on empty members from an object to its copy. */
export function copyEmptied(from: JsonObject, to: JsonObject): void {
  const members = emptied.get(from);
  if (members !== undefined) {
    emptied.set(to, members);
  }
}
