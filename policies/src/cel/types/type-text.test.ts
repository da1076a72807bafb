import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type CelType,
  dynType,
  errorType,
  intType,
  listType,
  mapType,
  nullType,
  opaqueType,
  optionalType,
  stringType,
  timestampType,
} from "./cel-type.js";
import { qualifiedTypeText, typeText } from "./type-text.js";

const texts: readonly [type: CelType, inMessages: string, ofExpressions: string][] = [
  [intType, "int", "int"],
  [dynType, "dyn", "dyn"],
  [nullType, "null", "null_type"],
  [errorType, "!error!", "error"],
  [timestampType, "timestamp", "google.protobuf.Timestamp"],
  [listType(nullType), "list(null)", "list(null_type)"],
  [mapType(stringType, timestampType), "map(string, timestamp)", "map(string, google.protobuf.Timestamp)"],
  [optionalType(listType(intType)), "optional(list(int))", "optional(list(int))"],
  [{ kind: "type", of: undefined }, "type", "type"],
  [{ kind: "type", of: timestampType }, "type(timestamp)", "type(google.protobuf.Timestamp)"],
  [opaqueType("kubernetes.URL"), "kubernetes.URL", "kubernetes.URL"],
  [{ kind: "object", name: "test.Owner", field: () => undefined }, "test.Owner", "test.Owner"],
  [{ kind: "parameter", name: "A" }, "A", "A"],
];

for (const [type, inMessages, ofExpressions] of texts) {
  test(`The type ${ofExpressions} is ${inMessages} in messages`, () => {
    assert.equal(typeText(type), inMessages);
    assert.equal(qualifiedTypeText(type), ofExpressions);
  });
}
