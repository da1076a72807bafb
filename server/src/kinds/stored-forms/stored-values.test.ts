import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { CustomValueFormat, TypedValueFormat, type ValueFormatOptions } from "@gatehouse/apiserver/forms";
import { type ResourceDefinition, ResourceStorages } from "@gatehouse/apiserver/registry";
import { StoreFeed } from "@gatehouse/apiserver/storage";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import { type ValueFormat, ValueFormats } from "@gatehouse/apiserver/storage/values";
import { decodeJson, encodeProtobuf, wrapUnknown } from "@gatehouse/envelopes/codec";
import { createDefaulting } from "@gatehouse/envelopes/defaults";
import { defaultFeatures } from "@gatehouse/envelopes/features";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { builtinDefaultingFunctions } from "@gatehouse/envelopes/kind-defaults";
import { mediaTypes } from "@gatehouse/envelopes/names";
import { apiVersionOf, groupVersionOf, kindSchema } from "@gatehouse/envelopes/schema";
import { builtinResources } from "../builtin-resources.js";

/** A value as kube-apiserver v1.29 has stored it, and the object as it has served it; nothing for what it does not serve. */
interface RecordedValue {
  readonly key: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  /** Base64. */
  readonly value: string;
  readonly object?: JsonObject & { readonly metadata: { readonly namespace?: string; readonly name: string } };
}

/** A value of an earlier version in the store of kube-apiserver v1.29, and the object that it has made of it. */
interface RecordedOlderValue {
  readonly key: string;
  readonly stored: JsonObject & { readonly apiVersion: string; readonly kind: string };
  readonly answer: JsonObject & { readonly apiVersion: string; readonly kind: string };
}

const options: ValueFormatOptions = {
  primaryFamily: "IPv4",
  mediaType: mediaTypes.protobuf,
  isShared: true,
  defaulting: createDefaulting(builtinDefaultingFunctions),
  features: defaultFeatures,
};

function recorded<T>(file: string): readonly T[] {
  const text = readFileSync(new URL(`../../../src/kinds/stored-forms/${file}`, import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}

const directory = mkdtempSync(join(tmpdir(), "stored-values-"));
const store = await openLmdbStore({ directory });
const feed = new StoreFeed({ store, prefix: "/registry/", onTrouble() {} });
const storages = new ResourceStorages({ store, feed, keyPrefix: "/registry/" });

after(async () => {
  await feed[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

const values = recorded<RecordedValue>("recorded-values.jsonl");
const typeOnly: Readonly<Record<string, string>> = {
  ranges: "RangeAllocation",
  masterleases: "Endpoints",
  peerserverleases: "Endpoints",
};

for (const { key, group, version, resource, value, object } of values) {
  const definition = builtinResources.find(
    (candidate) => candidate.group === group && candidate.version === version && candidate.resource === resource,
  );
  const stored = Buffer.from(value, "base64");
  const what = `${resource ?? key}${group ? `.${group}` : ""} in ${version ?? "v1"}`;

  if (definition?.storage !== undefined && object !== undefined) {
    const storage = storages.open(definition, definition.storage);
    test(`the key of ${what} is that of kube-apiserver`, () => {
      const { namespace = "", name } = object.metadata;
      assert.equal(storage.keyOf(namespace, name), key);
    });
  }

  test(`a value of ${what} is read as kube-apiserver reads it, and written byte for byte as it is stored`, () => {
    const format = formatOf(definition, key);
    const held = format.decode(stored);
    if (object !== undefined && (definition === undefined || isHeldVersion(definition))) {
      assert.equal(JSON.stringify(JSON.parse(held.toString())), JSON.stringify(object));
    }
    assert.equal(format.encode(held).toString("latin1"), stored.toString("latin1"));
  });
}

test("every resource that is stored has a recorded value", () => {
  const known = new Set(values.map(({ group, resource }) => `${group}/${resource}`));
  const missing = builtinResources.filter(
    ({ storage, group, resource }) => storage !== undefined && !known.has(`${group}/${resource}`),
  );
  assert.deepEqual(
    missing.map(({ resource }) => resource),
    [],
  );
});

for (const { key, stored, answer } of recorded<RecordedOlderValue>("recorded-older-values.jsonl")) {
  const { apiVersion, kind } = stored;
  test(`${kind} of ${apiVersion} at ${key} is read as kube-apiserver reads it, in JSON and in protobuf`, () => {
    const definition = builtinResources.find(
      (candidate) =>
        candidate.storage !== undefined &&
        key.startsWith(`/registry/${candidate.storage.prefix}/`) &&
        apiVersionOf(candidate) === answer.apiVersion,
    );
    const format = formatOf(definition, key);
    const { group, version } = groupVersionOf(apiVersion);
    const schema = kindSchema(group, version, kind)?.schema;
    assert.ok(schema !== undefined);
    const message = encodeProtobuf(schema, decodeJson(schema, stored).object);
    for (const value of [Buffer.from(JSON.stringify(stored)), wrapUnknown(apiVersion, kind, message)]) {
      const read = JSON.parse(format.decode(value).toString()) as JsonObject;
      if (answer["status"] === undefined) {
        delete read["status"]; // kube-apiserver's own controllers had written it before it could be read.
      }
      assert.equal(JSON.stringify(read), JSON.stringify(answer));
    }
  });
}

test("the format of a resource is in the table while the resource is open", () => {
  const table = new ValueFormats("/registry/");
  const live = new ResourceStorages({ store, feed, keyPrefix: "/registry/", formats: { table, options } });
  const definition = builtinResources.find(({ resource }) => resource === "configmaps");
  assert.ok(definition?.storage !== undefined);
  const key = "/registry/configmaps/a/b";
  const value = Buffer.from('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"b"}}');
  assert.equal(table.toStored(key, value), value);
  live.open(definition, definition.storage);
  const written = table.toStored(key, value);
  assert.equal(written.subarray(0, 4).toString("latin1"), "k8s\0");
  assert.match(
    table.fromStored(key, written).value.toString(),
    /^\{"kind":"ConfigMap","apiVersion":"v1","metadata":\{"name":"b"/,
  );
  live.close(definition.storage);
  assert.equal(table.fromStored(key, written).value, written);
});

function formatOf(definition: ResourceDefinition | undefined, key: string): ValueFormat {
  if (definition?.storage !== undefined) {
    return new TypedValueFormat({ ...definition.storage, kind: definition.kind }, options);
  }
  const kind = typeOnly[key.split("/")[2] ?? ""];
  return kind === undefined
    ? new CustomValueFormat(options)
    : new TypedValueFormat({ group: "", version: "v1", kind }, options);
}

function isHeldVersion({ group, version, storage }: ResourceDefinition): boolean {
  return storage?.group === group && storage.version === version;
}
