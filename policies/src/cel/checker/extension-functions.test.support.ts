import { addRanges, exactly, multiplyRanges, scaleRange, unknownSize } from "../cost/range.js";
import type { FunctionDefinition, Library, Overload } from "../libraries/library.js";
import { type CelType, opaqueType } from "../types/cel-type.js";

type Estimate = NonNullable<Overload["estimate"]>;

/** Stands for functions, which these tests do not evaluate. */
function call(): never {
  throw new TypeError("not evaluated");
}

function declare(names: string, signatures: string, estimate?: Estimate): FunctionDefinition[] {
  const overloads = signatures
    .split("; ")
    .map((signature): Overload => (estimate ? { signature, call, estimate } : { signature, call }));
  return names.split(" ").map((name) => ({ name, overloads }));
}

/** Returns the signatures for lists of each of the types, in whose place `T` stands. */
function forEach(types: string, signature: string): string {
  return types
    .split(" ")
    .map((type) => signature.replaceAll("T", type))
    .join("; ");
}

const unknown = unknownSize;
const reading: Estimate = ([size = unknown]) => ({ cost: scaleRange(size, 0.1), resultSize: size });
const readingAll: Estimate = ([size = unknown], { elementSize, typeOf }) => {
  const elements = elementSize(0);
  const type = typeOf(0);
  if (!elements) {
    return { cost: scaleRange(size, 0.1) };
  }
  const isText = type.kind === "list" && (type.elements.kind === "string" || type.elements.kind === "bytes");
  const each = isText ? addRanges(exactly(1n), scaleRange(elements, 0.1)) : exactly(1n);
  return { cost: multiplyRanges(size, each) };
};
const finding: Estimate = ([size = unknown, pattern = unknown]) => ({
  cost: multiplyRanges(scaleRange(addRanges(size, exactly(1n)), 0.1), scaleRange(pattern, 0.25)),
  resultSize: { min: 0n, max: size.max },
});
const splitting: Estimate = ([size = unknown], { literal }) => {
  const limit = literal(2);
  const max = typeof limit === "number" ? BigInt.asUintN(64, BigInt(limit)) : size.max;
  return { cost: scaleRange(size, 0.2), resultSize: { min: 0n, max } };
};
const joining: Estimate = ([size = unknown, separator = exactly(0n)], { elementSize }) => {
  const elements = elementSize(0);
  const separators = { min: lessOne(size.min), max: lessOne(size.max) };
  const texts = elements ? multiplyRanges(size, elements) : exactly(0n);
  const resultSize = addRanges(texts, multiplyRanges(separator, separators));
  return { cost: scaleRange(resultSize, 0.1), resultSize };
};
const quoting: Estimate = ([size = unknown]) => ({
  cost: scaleRange(size, 0.1),
  resultSize: { min: BigInt.asUintN(64, size.min + 2n), max: BigInt.asUintN(64, size.max * 2n + 2n) },
});

function lessOne(value: bigint): bigint {
  return value > 0n ? value - 1n : 0n;
}

const replacing: Estimate = ([size = unknown, replaced = unknown, replacement = unknown]) => {
  const most = replacements(size.max, replaced.min, replacement.max <= replaced.min);
  const least = replacements(size.min, replaced.max, replaced.max <= replacement.min);
  const count = { min: least.count, max: most.count };
  const kept = { min: least.kept, max: most.kept };
  return { cost: scaleRange(size, 0.2), resultSize: addRanges(multiplyRanges(count, replacement), kept) };
};

function replacements(size: bigint, replaced: bigint, keepsLength: boolean): { count: bigint; kept: bigint } {
  if (replaced === 0n) {
    return { count: size < unknown.max ? size + 1n : size, kept: size };
  }
  return keepsLength
    ? { count: 0n, kept: size }
    : { count: BigInt(Math.ceil(Number(size) / Number(replaced))), kept: 0n };
}

/** Estimates the comparison of all elements with all others. */
function comparing(times: number): Estimate {
  return ([first = unknown, second = unknown]) => ({
    cost: addRanges(scaleRange(multiplyRanges(first, second), times), exactly(1n)),
  });
}

const url = "kubernetes.URL.()";
const quantity = "kubernetes.Quantity";
const comparable = "int uint double bool duration timestamp string bytes";

/** Functions of the libraries beside the standard one, with v1.29's signatures and estimates. */
export const extensionFunctions: Library = {
  name: "extension functions",
  introduced: [1, 0],
  types: new Map<string, CelType>([
    [quantity, opaqueType(quantity)],
    ["kubernetes.URL", opaqueType("kubernetes.URL")],
  ]),
  functions: [
    ...declare("optional.of optional.ofNonZeroValue", "(A) -> optional(A)"),
    ...declare("optional.none", "() -> optional(A)"),
    ...declare("value", "optional(A).() -> A"),
    ...declare("hasValue", "optional(A).() -> bool"),
    ...declare("or", "optional(A).(optional(A)) -> optional(A)"),
    ...declare("orValue", "optional(A).(A) -> A"),
    ...declare("charAt", "string.(int) -> string"),
    ...declare("format", "string.(list(dyn)) -> string", ([size = unknown]) => ({ cost: scaleRange(size, 0.1) })),
    ...declare(
      "indexOf lastIndexOf",
      "string.(string) -> int; string.(string, int) -> int; list(A).(A) -> int",
      readingAll,
    ),
    ...declare("join", "list(string).() -> string; list(string).(string) -> string", joining),
    ...declare("lowerAscii upperAscii trim", "string.() -> string", reading),
    ...declare("substring", "string.(int) -> string; string.(int, int) -> string", reading),
    ...declare("replace", "string.(string, string) -> string; string.(string, string, int) -> string", replacing),
    ...declare("split", "string.(string) -> list(string); string.(string, int) -> list(string)", splitting),
    ...declare("strings.quote", "(string) -> string", quoting),
    ...declare("isSorted", forEach(comparable, "list(T).() -> bool"), readingAll),
    ...declare("sum", forEach("int uint double duration", "list(T).() -> T"), readingAll),
    ...declare("min max", forEach(comparable, "list(T).() -> T"), readingAll),
    ...declare("find", "string.(string) -> string", finding),
    ...declare("findAll", "string.(string) -> list(string); string.(string, int) -> list(string)", finding),
    ...declare("url", "(string) -> kubernetes.URL", ([size = unknown]) => ({ cost: scaleRange(size, 0.1) })),
    ...declare("isURL isQuantity", "(string) -> bool"),
    ...declare("getScheme getHost getHostname getPort getEscapedPath", `${url} -> string`),
    ...declare("getQuery", `${url} -> map(string, list(string))`),
    ...declare("quantity", `(string) -> ${quantity}`),
    ...declare("isGreaterThan isLessThan", `${quantity}.(${quantity}) -> bool`),
    ...declare("compareTo", `${quantity}.(${quantity}) -> int`),
    ...declare("asInteger", `${quantity}.() -> int`),
    ...declare("asApproximateFloat", `${quantity}.() -> double`),
    ...declare("add", `${quantity}.(${quantity}) -> ${quantity}; ${quantity}.(int) -> ${quantity}`),
    ...declare("sign", `(${quantity}) -> int`),
    ...declare("sets.contains sets.intersects", "(list(A), list(A)) -> bool", comparing(1)),
    ...declare("sets.equivalent", "(list(A), list(A)) -> bool", comparing(2)),
  ],
};
