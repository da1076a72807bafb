import type { JsonObject } from "../json/json.js";

/*
 * A list or map that a client sends empty is not written where it may be left out. In memory v1.29 tells it from one that
 * was not sent, and shows so in messages. What was sent empty is noted beside the decoded object, as long as it lives.
 */

const emptied = new WeakMap<JsonObject, readonly string[]>();

/** How many more members of one document may be noted: a large one could hold hundreds of thousands. */
export interface EmptiedNotes {
  left: number;
}

/** As many as anybody could read about. */
export const maxEmptiedNotes = 1_000;

/** Notes that a member was sent empty. */
export function noteEmptied(object: JsonObject, member: string, notes: EmptiedNotes): void {
  if (notes.left > 0) {
    notes.left--;
    emptied.set(object, [...(emptied.get(object) ?? []), member]);
  }
}

/** Whether the client has sent this member of a decoded object as an empty list or map. */
export function wasSentEmpty(object: JsonObject, member: string): boolean {
  return emptied.get(object)?.includes(member) === true;
}

/** Takes a member for one that was not sent. */
export function forgetEmptied(object: JsonObject, member: string): void {
  const members = emptied.get(object);
  if (members !== undefined) {
    emptied.set(
      object,
      members.filter((name) => name !== member),
    );
  }
}

/** Lets a copy of an object be known to have been sent with the same empty members. */
export function copyEmptied(from: JsonObject, to: JsonObject): void {
  const members = emptied.get(from);
  if (members !== undefined) {
    emptied.set(to, members);
  }
}
