import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { tests as conformance } from "@bufbuild/cel-spec/testdata/conformance.js";
import { compileExpression } from "./compile-expression.js";
import { storedExpressions } from "./environment.js";
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  stringType,
  timestampType,
  uintType,
} from "./types/cel-type.js";
import { isEqual } from "./values/equality.js";
import { literalKey } from "./values/maps.js";
import { messageText } from "./values/message-text.js";
import { doubleValue, intValue } from "./values/numbers.js";
import { parseDuration, parseTimestamp } from "./values/time-text.js";
import { typeName } from "./values/type-name.js";
import { CelMap, type CelValue, TypeValue, Uint } from "./values/value.js";

/** Suites of messages of protocol buffers and of extensions that v1.29's environment does not have. */
const otherSuites: ReadonlySet<string> = new Set([
  ...["bindings_ext", "block_ext", "encoders_ext", "enums", "macros2", "math_ext", "proto2", "proto2_ext", "proto3"],
  ...["network_ext"],
]);

type Json = Record<string, unknown>;

type Suite = typeof conformance;

/** A case of the suite, as it is written. */
interface Case {
  readonly name: string;
  readonly expr: string;
  readonly value?: Json;
  readonly evalError?: unknown;
  readonly typedResult?: { readonly result?: Json; readonly deducedType?: Json };
  readonly typeEnv?: readonly {
    readonly name: string;
    readonly ident?: { readonly type: Json };
    readonly function?: Json;
  }[];
  readonly bindings?: Readonly<Record<string, { readonly value?: Json }>>;
  readonly container?: string;
  readonly disableCheck?: boolean;
  readonly checkOnly?: boolean;
}

/**
 * An answer of v1.29 that departs from the suite: it is older, and refuses lists and comparisons of unlike types. Texts of
 * errors lack the dump of a node, which differs from one run of v1.29 to the next.
 */
interface Departure {
  readonly path: string;
  readonly error?: string;
  readonly value?: unknown;
}

/** Answers of v1.29, by the path of the case. */
const departures: ReadonlyMap<string, Departure> = new Map(
  readFileSync(new URL("../../src/cel/recorded/conformance.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line): Departure => JSON.parse(line))
    .map((departure) => [departure.path, departure]),
);

/** Returns the reason why v1.29 cannot be asked a case; undefined if it can. */
function whyNot({ expr, typeEnv = [], bindings = {}, container, value, typedResult }: Case): string | undefined {
  const given = JSON.stringify([typeEnv, bindings]);
  const facts = given + JSON.stringify([value ?? null, typedResult ?? null]);
  if (container !== undefined) {
    return "names are looked up in a container";
  }
  if (/google\.protobuf\.(?!Timestamp|Duration)/.test(given)) {
    return "variables that hold messages";
  }
  if (/TestAllTypes|google\.protobuf\.FieldMask|cel\.expr\.conformance/.test(expr + facts)) {
    return "messages of protocol buffers";
  }
  if (typeEnv.some((declaration) => declaration.function !== undefined)) {
    return "functions of the suite";
  }
  return undefined;
}

function* cases(suite: Suite, path: string): Generator<{ path: string; case: Case }> {
  for (const found of suite.tests ?? []) {
    const original = found.original as unknown as Case;
    yield { path: `${path}/${original.name}`, case: original };
  }
  for (const inner of suite.suites ?? []) {
    if (!otherSuites.has(inner.name)) {
      yield* cases(inner, path === "" ? inner.name : `${path}/${inner.name}`);
    }
  }
}

describe("The conformance cases of CEL that apply to v1.29", () => {
  for (const { path, case: asked } of cases(conformance, "")) {
    if (whyNot(asked) === undefined) {
      const departure = departures.get(path);
      test(`${path}: ${asked.expr}`, () => {
        if (departure === undefined) {
          assertAnswer(asked);
        } else {
          assertDeparture(asked, departure);
        }
      });
    }
  }
});

function assertDeparture(asked: Case, { error, value }: Departure): void {
  const answer = evaluate(asked);
  assert.deepEqual(
    "error" in answer ? { error: answer.error } : { value: answer.value },
    error === undefined ? { value } : { error },
  );
}

function assertAnswer(asked: Case): void {
  const answer = evaluate(asked);
  if (asked.evalError !== undefined) {
    assert.ok("error" in answer, `has the value ${shown(answer)}`);
    return;
  }
  assert.ok(!("error" in answer), "error" in answer ? answer.error : "");
  const expected = asked.typedResult?.result ?? asked.value ?? { boolValue: true };
  if (answer.value === undefined) {
    return;
  }
  const wanted = readValue(expected);
  assert.equal(typeName(answer.value), typeName(wanted));
  const bothNaN = Number.isNaN(answer.value) && Number.isNaN(wanted);
  assert.ok(bothNaN || isEqual(answer.value, wanted), `has the value ${messageText(answer.value)}`);
}

/** The value of an expression, undefined if it was only checked; or its error. */
type Answer = { readonly value: CelValue | undefined } | { readonly error: string };

function shown(answer: Answer): string {
  return "error" in answer || answer.value === undefined ? "" : messageText(answer.value);
}

function evaluate(asked: Case): Answer {
  const declared = new Map(
    (asked.typeEnv ?? []).flatMap(({ name, ident }) =>
      ident === undefined ? [] : [[name, typeOf(ident.type)] as const],
    ),
  );
  for (const name of Object.keys(asked.bindings ?? {})) {
    if (!declared.has(name)) {
      declared.set(name, dynType);
    }
  }
  const values = Object.entries(asked.bindings ?? {}).map(([name, { value }]) => [name, readValue(value ?? {})]);
  try {
    const compiled = compileExpression(asked.expr, storedExpressions.withVariables(declared));
    if (asked.checkOnly === true) {
      return { value: undefined };
    }
    const { value, error } = compiled.evaluate(Object.fromEntries(values), Number.POSITIVE_INFINITY);
    return error === undefined ? { value } : { error: error.message };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

const primitives: Readonly<Record<string, CelType>> = {
  BOOL: boolType,
  INT64: intType,
  UINT64: uintType,
  DOUBLE: doubleType,
  STRING: stringType,
  BYTES: bytesType,
  TIMESTAMP: timestampType,
  DURATION: durationType,
};

/** Reads a type of the suite. */
function typeOf(type: Json): CelType {
  const {
    primitive,
    wellKnown,
    listType: list,
    mapType: map,
  } = type as {
    readonly primitive?: string;
    readonly wellKnown?: string;
    readonly listType?: { readonly elemType: Json };
    readonly mapType?: { readonly keyType: Json; readonly valueType: Json };
  };
  const known = primitives[primitive ?? wellKnown ?? ""];
  if (known !== undefined) {
    return known;
  }
  if (list !== undefined) {
    return listType(typeOf(list.elemType));
  }
  if (map !== undefined) {
    return mapType(typeOf(map.keyType), typeOf(map.valueType));
  }
  return "null" in type ? nullType : dynType;
}

/** Reads a value of the suite. */
function readValue(value: Json): CelValue {
  const [[kind, content] = ["", undefined]] = Object.entries(value);
  switch (kind) {
    case "nullValue":
      return null;
    case "boolValue":
      return content as boolean;
    case "int64Value":
      return intValue(BigInt(content as string));
    case "uint64Value":
      return new Uint(BigInt(content as string));
    case "doubleValue":
      return doubleValue(Number(content));
    case "stringValue":
      return content as string;
    case "bytesValue":
      return new Uint8Array(Buffer.from(content as string, "base64"));
    case "typeValue":
      return new TypeValue(content as string);
    case "listValue":
      return ((content as { values?: Json[] }).values ?? []).map(readValue);
    case "mapValue":
      return new CelMap(
        new Map(
          ((content as { entries?: { key: Json; value: Json }[] }).entries ?? []).map((entry) => [
            literalKey(new Map(), readValue(entry.key)),
            readValue(entry.value),
          ]),
        ),
      );
    case "objectValue": {
      const { value: text } = content as { value: string };
      return parseTimestamp(text) ?? parseDuration(text) ?? assert.fail(`no time: ${text}`);
    }
    default:
      return assert.fail(`no value: ${JSON.stringify(value)}`);
  }
}
