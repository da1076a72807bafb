import { jsonTypeName } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import type { JsonObject } from "@gatehouse/envelopes/json";

/**
 * Returns the text of a member as Go first reads it: named in whatever letters, the last that is not null. Throws
 * DecodeError for a value that is no text.
 */
export function statedText(value: JsonObject, member: "apiVersion" | "kind"): string {
  let stated = "";
  for (const [name, said] of Object.entries(value)) {
    if (said === undefined || said === null || !isSameFolded(name, member)) {
      continue;
    }
    if (typeof said !== "string") {
      throw new DecodeError(
        `json: cannot unmarshal ${jsonTypeName(said)} into Go struct field .${member} of type string`,
      );
    }
    stated = said;
  }
  return stated;
}

/** Compares names as Go's JSON does, to which the long s and the sign of Kelvin are letters as well. */
function isSameFolded(name: string, member: string): boolean {
  return (
    name === member ||
    (name.length === member.length && name.toLowerCase().replaceAll("ſ", "s") === member.toLowerCase())
  );
}
