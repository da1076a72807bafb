import { parseQuantity, quantityMilliValue, quantityValue } from "@gatehouse/envelopes/codec";

/** Limit below which amounts are compared by thousandths; greater ones are compared as whole numbers. */
const maxMilliValue = (2n ** 63n - 1n) / 1000n;

/** Returns the ratio that a range allows, as a number. */
export function ratioValue(ratio: string, min: string, max: string): number {
  return inThousandths(ratio, min, max) ? Number(milliValue(ratio)) / 1000 : Number(wholeValue(ratio));
}

/** Returns the greatest possible ratio of amounts between `min` and `max`, and its text in Go. */
export function greatestRatio(
  ratio: string,
  min: string,
  max: string,
): { readonly value: number; readonly text: string } {
  const read = inThousandths(ratio, min, max) ? milliValue : wholeValue;
  const value = Number(read(max)) / Number(read(min));
  return { value, text: Number.isFinite(value) ? value.toFixed(6) : value > 0 ? "+Inf" : "-Inf" };
}

function inThousandths(...texts: readonly string[]): boolean {
  return texts.every((text) => wholeValue(text) < maxMilliValue);
}

function wholeValue(text: string): bigint {
  return quantityValue(parseQuantity(text));
}

function milliValue(text: string): bigint {
  return quantityMilliValue(parseQuantity(text));
}
