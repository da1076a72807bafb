import type { CelValue } from "../values/value.js";
import type { Overload } from "./library.js";

/** Returns a function of certain types as the call of an overload, whose signature promises those types. */
export function typedCall<Args extends CelValue[]>(call: (...args: Args) => CelValue): Overload["call"] {
  return call as unknown as Overload["call"];
}
