import type { JsonObject } from "@gatehouse/envelopes";
export function convert(o: JsonObject, _f: unknown, _t: unknown): JsonObject {
  return o;
}
