import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  decodeJson,
  decodeProtobuf,
  encodeJson,
  encodeProtobuf,
  encodeYaml,
  parseJson,
  parseYaml,
  unwrapEnvelope,
  wrapUnknown,
} from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { apiVersionOf, type KindSchema, kindSchema, schemaRegistry } from "@gatehouse/envelopes/schema";
import { filledForRoundTrip, filledInOtherForms } from "./every-kind/round-trip-filler.js";

// Objects as Kubernetes 1.29 writes them, beside the checkout where there are any. A worktree lies one folder deeper.
const folder = ["../../../../shared/vectors/objects", "../../../../../shared/vectors/objects"]
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path));

const vectors =
  folder === undefined
    ? []
    : readdirSync(folder)
        .filter((file) => file.endsWith(".json"))
        .map((file) => file.slice(0, -".json".length));

test("recorded vectors are there", {
  skip: folder === undefined ? "no ../shared/vectors beside the checkout" : false,
}, () => {
  assert.ok(vectors.length > 0);
});

for (const name of vectors) {
  test(`the filled ${name} is the recorded one, in JSON and in protobuf`, () => {
    const [version = "", kindName = ""] = name.split(".").slice(-2);
    const group = name.split(".").slice(0, -2).join(".");
    const kind = kindSchema(group === "core" ? "" : group, version, kindName);
    assert.ok(kind !== undefined);
    const object = filled(kind);
    assert.equal(encodeJson(object, 2), readFileSync(`${folder}/${name}.json`, "utf8").trimEnd());
    assert.ok(toProtobuf(kind, object).equals(readFileSync(`${folder}/${name}.pb`)));
  });
}

for (const kind of schemaRegistry().kinds()) {
  const name = `${apiVersionOf(kind)} ${kind.kind}`;
  test(`a filled ${name} survives JSON, YAML and protobuf unchanged`, () => survives(kind, filled(kind)));
  test(`a ${name} filled in other forms survives, too`, () => survives(kind, filled(kind, filledInOtherForms)));
  test(`an empty ${name} survives, too`, () => {
    const { object } = decodeJson(kind.schema, {}, { empty: "null" });
    return survives(kind, { ...filled(kind, () => ({})), ...object });
  });
}

async function survives(kind: KindSchema, object: JsonObject): Promise<void> {
  const json = encodeJson(object);
  const fromJson = decodeJson(kind.schema, parseJson(json).value, { empty: "null" });
  assert.deepEqual(fromJson.unknownFields, []);
  assert.equal(encodeJson(fromJson.object), json);
  const fromYaml = decodeJson(kind.schema, (await parseYaml(encodeYaml(object))).value, { empty: "null" });
  assert.equal(encodeJson(fromYaml.object), json);
  if (!kind.schema.hasProtobuf) {
    return;
  }
  const bytes = toProtobuf(kind, object);
  const envelope = unwrapEnvelope(bytes);
  const fromProtobuf = decodeProtobuf(kind.schema, envelope.raw, envelope);
  assert.equal(encodeJson(fromProtobuf), json);
  assert.ok(toProtobuf(kind, fromProtobuf).equals(bytes));
}

/** A WatchEvent has no kind of its own in JSON. */
function isWatchEvent(kind: KindSchema): boolean {
  return kind.kind === "WatchEvent";
}

function filled(kind: KindSchema, fill = filledForRoundTrip): JsonObject {
  const members = fill(kind.schema);
  return isWatchEvent(kind) ? members : { kind: kind.kind, apiVersion: apiVersionOf(kind), ...members };
}

function toProtobuf(kind: KindSchema, object: JsonObject): Buffer {
  const raw = encodeProtobuf(kind.schema, object);
  return isWatchEvent(kind) ? wrapUnknown("", "", raw) : wrapUnknown(apiVersionOf(kind), kind.kind, raw);
}
