import { isWhole, quantityOf } from "@gatehouse/apiserver/validation";
import { amountAsSent, goQuote } from "@gatehouse/envelopes/go";
import { type JsonObject, type JsonValue, scalarAt } from "@gatehouse/envelopes/json";

/** Returns warnings for those of the named amounts, in a map at `path`, that are no whole number of bytes. */
export function fractionalBytes(
  amounts: JsonValue | undefined,
  path: string,
  ...resources: readonly string[]
): readonly string[] {
  return resources.flatMap((resource) => {
    const text = scalarAt(amounts, resource);
    return text === undefined || isWhole(quantityOf(amountAsSent(amounts as JsonObject, resource)))
      ? []
      : [`${path}[${resource}]: fractional byte value ${goQuote(text)} is invalid, must be an integer`];
  });
}
