import { isWhole } from "@gatehouse/apiserver/validation";
import { parseQuantity } from "@gatehouse/envelopes/codec";
import { goQuote } from "@gatehouse/envelopes/go";
import { type JsonValue, scalarAt } from "@gatehouse/envelopes/json";

/** Returns warnings for those of the named amounts, in a map at `path`, that are no whole number of bytes. */
export function fractionalBytes(
  amounts: JsonValue | undefined,
  path: string,
  ...resources: readonly string[]
): readonly string[] {
  return resources.flatMap((resource) => {
    const text = scalarAt(amounts, resource);
    return text === undefined || isWhole(parseQuantity(text))
      ? []
      : [`${path}[${resource}]: fractional byte value ${goQuote(text)} is invalid, must be an integer`];
  });
}
