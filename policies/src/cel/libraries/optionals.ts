import { EvaluationError } from "../values/evaluation-error.js";
import { costSize } from "../values/size.js";
import { BoxedDouble, type CelValue, Duration, Optional, Timestamp, Uint } from "../values/value.js";
import type { Library } from "./library.js";
import { EmptyMessage } from "./messages/empty-message.js";
import { typedCall } from "./typed-call.js";

const none = new Optional(undefined);

/** The functions of values that may be absent; their operators and macros belong to the language itself. */
export const optionals: Library = {
  name: "optionals",
  introduced: [1, 28],
  functions: [
    { name: "optional.of", overloads: [{ signature: "(V) -> optional(V)", call: (value) => new Optional(value) }] },
    { name: "optional.none", overloads: [{ signature: "() -> optional(V)", call: () => none }] },
    {
      name: "optional.ofNonZeroValue",
      overloads: [{ signature: "(V) -> optional(V)", call: (value) => (isZero(value) ? none : new Optional(value)) }],
    },
    {
      name: "hasValue",
      overloads: [
        { signature: "optional(V).() -> bool", call: typedCall(({ value }: Optional) => value !== undefined) },
      ],
    },
    { name: "value", overloads: [{ signature: "optional(V).() -> V", call: typedCall(unwrap) }] },
    {
      name: "or",
      overloads: [
        {
          signature: "optional(V).(optional(V)) -> optional(V)",
          call: typedCall((first: Optional, second: CelValue) => (first.value === undefined ? second : first)),
          cost: () => 0,
        },
      ],
    },
    {
      name: "orValue",
      overloads: [
        {
          signature: "optional(V).(V) -> V",
          call: typedCall((first: Optional, second: CelValue) => (first.value === undefined ? second : first.value)),
          cost: () => 0,
        },
      ],
    },
  ],
};

function unwrap({ value }: Optional): CelValue {
  if (value === undefined) {
    throw new EvaluationError("optional.none() dereference");
  }
  return value;
}

/** The first moment of the year 1, the zero of Go's times. */
const zeroTime = BigInt(Date.parse("0001-01-01T00:00:00Z")) * 1_000_000n;

function isZero(value: CelValue): boolean {
  switch (typeof value) {
    case "boolean":
      return !value;
    case "number":
      return value === 0;
    case "string":
      return value === "";
    case "bigint":
      return false;
    default:
      return value === null || isZeroObject(value);
  }
}

function isZeroObject(value: CelValue & object): boolean {
  if (value instanceof BoxedDouble) {
    return value.value === 0;
  }
  if (value instanceof EmptyMessage) {
    return true;
  }
  if (value instanceof Uint) {
    return value.value === 0n;
  }
  if (value instanceof Duration) {
    return value.nanoseconds === 0n;
  }
  if (value instanceof Timestamp) {
    return value.nanoseconds === zeroTime;
  }
  return costSize(value) === 0;
}
