/** Reports whether a number is one that Go holds as an int64: a whole number of at most 63 bits. Others are doubles. */
export function isInt64(value: number | bigint): boolean {
  return typeof value === "bigint"
    ? BigInt.asIntN(64, value) === value
    : Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}
