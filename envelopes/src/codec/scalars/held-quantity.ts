import {
  divideRoundingUp,
  interpretSuffix,
  isReadAsInteger,
  isReusedAsIs,
  parseQuantity,
  type QuantityFormat,
  roundUpQuantity,
  splitQuantity,
} from "./quantity.js";

/** A quantity as Go holds it in memory, which depends on the notation in which it was sent. */
export interface HeldQuantity {
  /** The integer of 64 bits; 0 for what is held as a decimal number. */
  readonly value: bigint;
  /** The exponent of that integer. */
  readonly scale: number;
  /** The decimal number as text; undefined for what is held as an integer. */
  readonly decimal: string | undefined;
  /** The text that is kept beside the number; empty where Go computes it when it is asked for. */
  readonly text: string;
  readonly format: QuantityFormat;
}

/** Exponent to which v1.29 rounds up the amounts in lists of resources. */
const milli = -3;

/** The most zeros that are written out: an exponent may have ten digits. */
const mostZeros = 1_000;

/** Returns how Go holds a quantity. `isListed` says that it is an amount in a list of resources, which are rounded. */
export function heldQuantity(text: string, isListed = false): HeldQuantity {
  if (text === "0") {
    return { value: 0n, scale: 0, decimal: undefined, text, format: "DecimalSI" };
  }
  const { negative, digits, fraction, suffix } = splitQuantity(text);
  const { base, exponent, format } = interpretSuffix(suffix);
  const shifted = digits + fraction;
  const scale = base === 10 ? exponent - fraction.length : 0;
  if (!isReadAsInteger(shifted, fraction, base, exponent, scale)) {
    return { value: 0n, scale: 0, decimal: decimalText(text, isListed), text: "", format };
  }
  const magnitude = base === 10 ? BigInt(shifted) : BigInt(shifted) << BigInt(exponent);
  const isRounded = isListed && scale < milli;
  const rounded = isRounded ? divideRoundingUp(magnitude, milli - scale) : magnitude;
  const isKept = !isRounded && isReusedAsIs(shifted, fraction, base, exponent, scale);
  return {
    value: negative ? -rounded : rounded,
    scale: isRounded ? milli : scale,
    decimal: undefined,
    text: isKept ? text : "",
    format,
  };
}

function decimalText(text: string, isListed: boolean): string {
  const quantity = parseQuantity(text);
  const { unscaled, exponent } = isListed ? roundUpQuantity(quantity, milli) : quantity;
  if (exponent > mostZeros) {
    return `${unscaled}e${exponent}`;
  }
  const places = isListed ? -milli : Math.max(0, -exponent);
  const magnitude = String((unscaled < 0n ? -unscaled : unscaled) * 10n ** BigInt(exponent + places)).padStart(
    places + 1,
    "0",
  );
  const whole = magnitude.slice(0, magnitude.length - places);
  return `${unscaled < 0n ? "-" : ""}${whole}${places === 0 ? "" : `.${magnitude.slice(-places)}`}`;
}
