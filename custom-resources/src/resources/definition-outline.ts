import { endOfObject } from "@gatehouse/apiserver/objects";
import type { CacheEntry } from "@gatehouse/apiserver/storage";
import { parseStoredJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";

/** The beginning of a schema as a member in the bytes of an object; inside a text its quotes would be escaped. */
const schemaMark = Buffer.from('"openAPIV3Schema":{');

/**
 * Returns a definition without its schemas, each of which becomes an empty object. All but a hundredth of a large
 * definition are its schemas, and most definitions exist for a long time before theirs are needed.
 */
export function definitionOutline(entry: CacheEntry): JsonObject {
  const { bytes } = entry;
  let text = "";
  let from = 0;
  for (let at = bytes.indexOf(schemaMark); at !== -1; at = bytes.indexOf(schemaMark, from)) {
    const start = at + schemaMark.length;
    const end = endOfObject(bytes, start - 1);
    if (end === -1) {
      return entry.object(); // Which tells what is wrong with it.
    }
    text += bytes.toString("utf8", from, start);
    from = end - 1;
  }
  return parseStoredJson(text + bytes.toString("utf8", from)) as JsonObject;
}
