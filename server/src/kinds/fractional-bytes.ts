import { parseQuantity, type Quantity, roundUpQuantity } from "@gatehouse/envelopes/codec";
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

/**
 * Reports whether an amount is whole. Finer parts than thousandths are rounded up to them. v1.29 counts thousandths in
 * 64 bits, so that some amounts of more than eight pebibytes overflow: they count as fractional here, too.
 */
function isWhole(amount: Quantity): boolean {
  const { unscaled, exponent } = roundUpQuantity(amount, -3);
  return exponent > 0 || BigInt.asIntN(64, unscaled * 10n ** BigInt(exponent + 3)) % 1000n === 0n;
}
