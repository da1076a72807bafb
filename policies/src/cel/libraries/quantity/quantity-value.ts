import { addQuantity, compareQuantity, negateQuantity, parseQuantity, type Quantity } from "@gatehouse/envelopes/codec";
import { EvaluationError } from "../../values/evaluation-error.js";
import { intValue } from "../../values/numbers.js";
import { OpaqueValue } from "../../values/value.js";
import { countWork } from "../../values/work.js";

/** The work of reading a quantity. */
const parseWork = 200;

const maxInt = 2n ** 63n - 1n;
const minInt = -(2n ** 63n);
/** Digits that v1.29 reads into 64 bits; numbers with more are decimals of any length. */
const maxDigits = 18;
const nano = -9;

/** An amount with its unit. */
export class QuantityValue extends OpaqueValue {
  readonly typeName = "kubernetes.Quantity";
  readonly quantity: Quantity;
  /** True if v1.29 keeps the amount in 64 bits; only such amounts can be read as integers. */
  readonly isShort: boolean;
  readonly #isSum: boolean;

  constructor(quantity: Quantity, isShort: boolean, isSum = false) {
    super();
    this.quantity = quantity;
    this.isShort = isShort;
    this.#isSum = isSum;
  }

  /** Returns true if the amounts are equal. Throws EvaluationError if `other` is a sum, which v1.29 does not compare so. */
  equals(other: OpaqueValue): boolean {
    if (!(other instanceof QuantityValue) || other.#isSum) {
      throw new EvaluationError("no such overload");
    }
    return this.compareTo(other) === 0;
  }

  compareTo(other: QuantityValue): number {
    return Math.sign(compareQuantity(this.quantity, other.quantity));
  }

  plus(other: QuantityValue): QuantityValue {
    const isShort = this.isShort && other.isShort && isShortSum(this.quantity, other.quantity);
    return new QuantityValue(addQuantity(this.quantity, other.quantity), isShort, true);
  }

  minus(other: QuantityValue): QuantityValue {
    return this.plus(new QuantityValue(negateQuantity(other.quantity), other.isShort));
  }

  /** The amount as an int; undefined if v1.29 cannot tell it. */
  get integer(): number | bigint | undefined {
    const { unscaled, exponent } = this.quantity;
    if (!this.isShort || exponent < 0) {
      return undefined;
    }
    const value = scaledUp(unscaled, exponent);
    return value === undefined ? undefined : intValue(value);
  }

  get approximateFloat(): number {
    const { unscaled, exponent } = this.quantity;
    return exponent === 0 ? Number(unscaled) : Number(unscaled) * powerOfTen(exponent);
  }
}

/** Parses a quantity. Throws DecodeError. */
export function quantityOf(text: string): QuantityValue {
  countWork(parseWork);
  const quantity = parseQuantity(text);
  return new QuantityValue(quantity, isShortText(text));
}

/** Returns an int as a quantity. */
export function quantityOfInt(value: number | bigint): QuantityValue {
  return new QuantityValue(parseQuantity(String(value)), true);
}

const binaryDigits: ReadonlyMap<string, number> = new Map(
  ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"].map((suffix, index) => [suffix, (index + 1) * 3]),
);

/** Reports whether v1.29 reads a valid quantity into 64 bits. */
function isShortText(text: string): boolean {
  const [, digits = "", fraction = "", suffix = ""] = /^[+-]?0*([0-9]*)(?:\.([0-9]*))?(.*)$/.exec(text) ?? [];
  const length = (digits || "0").length;
  const binary = binaryDigits.get(suffix);
  if (binary !== undefined) {
    return fraction === "" && length + binary <= 14;
  }
  return length + fraction.length <= maxDigits && parseQuantity(`1${suffix}`).exponent - fraction.length >= nano;
}

function isShortSum(a: Quantity, b: Quantity): boolean {
  if (a.unscaled === 0n || b.unscaled === 0n) {
    return true;
  }
  const exponent = Math.min(a.exponent, b.exponent);
  const left = scaledUp(a.unscaled, a.exponent - exponent);
  const right = scaledUp(b.unscaled, b.exponent - exponent);
  return left !== undefined && right !== undefined && isInt64(left + right);
}

/** Returns the value times a power of ten; undefined if that does not fit into 64 bits. */
function scaledUp(value: bigint, exponent: number): bigint | undefined {
  if (value === 0n) {
    return 0n;
  }
  const scaled = exponent > maxDigits ? undefined : value * 10n ** BigInt(exponent);
  return scaled !== undefined && isInt64(scaled) ? scaled : undefined;
}

function isInt64(value: bigint): boolean {
  return value >= minInt && value <= maxInt;
}

/** Returns a power of ten as Go's `math.Pow10`, which multiplies two that are exact to the last bit. */
function powerOfTen(exponent: number): number {
  const magnitude = Math.abs(exponent);
  const rest = Number(`1e${magnitude % 32}`);
  const whole = magnitude - (magnitude % 32);
  return exponent < 0 ? Number(`1e-${whole}`) / rest : exponent > 308 ? Infinity : Number(`1e${whole}`) * rest;
}
