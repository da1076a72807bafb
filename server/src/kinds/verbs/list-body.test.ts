import assert from "node:assert/strict";
import { test } from "node:test";
import { type Encoding, indentJson, type Representation } from "@gatehouse/apiserver/http";
import { CacheEntry } from "@gatehouse/apiserver/storage";
import { buildTable } from "@gatehouse/apiserver/tables";
import { listBody, partialMetadata } from "@gatehouse/apiserver/verbs";
import { encodeJson, encodeProtobuf, encodeYaml, wrapUnknown } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { kindSchema, messageSchema } from "@gatehouse/envelopes/schema";
import { openTestControlPlane } from "../../control-plane.test.support.js";

const listMeta = { resourceVersion: "1000" };
const nowMs = Date.parse("2026-01-01T00:00:00Z");

function configMapEntries(count: number): CacheEntry[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `c-${String(index).padStart(6, "0")}`;
    const object = {
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: { name, namespace: "n", uid: `u${index}`, creationTimestamp: "2025-12-31T00:00:00Z" },
      data: { text: `${"x".repeat(700)} <${index}>\n`, multi: "a: b\n\n  c\n" },
    };
    return CacheEntry.fromStore({
      key: `/registry/configmaps/n/${name}`,
      value: Buffer.from(encodeJson(object)),
      modRevision: index + 1,
    });
  });
}

function form(encoding: Encoding, as?: Representation["as"]): Representation {
  return { encoding, as, asVersion: as === undefined ? "" : "v1" };
}

const rows: readonly { readonly name: string; readonly representation: Representation; readonly pretty?: boolean }[] = [
  { name: "JSON", representation: form("json") },
  { name: "indented JSON", representation: form("json"), pretty: true },
  { name: "YAML", representation: form("yaml") },
  { name: "protobuf", representation: form("protobuf") },
  { name: "a table", representation: form("json", "Table") },
  { name: "an indented table", representation: form("json", "Table"), pretty: true },
  { name: "a table in YAML", representation: form("yaml", "Table") },
  { name: "metadata", representation: form("json", "PartialObjectMetadataList") },
  { name: "metadata in YAML", representation: form("yaml", "PartialObjectMetadataList") },
  { name: "metadata in protobuf", representation: form("protobuf", "PartialObjectMetadataList") },
];

for (const { name, representation, pretty = false } of rows) {
  for (const count of [0, 1, 2000]) {
    test(`a list of ${count} as ${name} is the same in pieces as in one`, async () => {
      await using plane = await openTestControlPlane();
      const served = plane.liveRegistry.current.find("", "v1", "configmaps") ?? assert.fail();
      const entries = configMapEntries(count);
      const objects = entries.map((entry) => served.objectOf(entry));
      let steps = 0;
      const body = listBody({
        served,
        entries,
        listMeta,
        representation,
        includeObject: "Metadata",
        pretty,
        nowMs,
        context: {
          yield: () => {
            steps++;
            return undefined;
          },
        },
      });
      const pieces: Buffer[] = [];
      for await (const piece of body.pieces) {
        pieces.push(Buffer.from(piece));
      }
      const whole = Buffer.concat(pieces);
      if (representation.encoding === "protobuf") {
        assert.deepEqual(whole, wholeProtobuf(served, objects, representation));
      } else {
        const document = wholeDocument(served, objects, representation);
        assert.equal(whole.toString(), text(document, representation.encoding, pretty));
      }
      assert.ok(body.byteLength === undefined || body.byteLength === whole.length);
      assert.ok(whole.length < 256 * 1024 || pieces.length > 1);
      assert.ok(body.byteLength !== undefined || pretty || steps >= count);
    });
  }
}

// Lists of admission policies are the only ones whose items may be left out; the test plane does not serve them.
for (const encoding of ["json", "yaml"] as const) {
  test(`a list of nothing has no items in ${encoding} where its kind may leave them out`, async () => {
    await using plane = await openTestControlPlane();
    const served = plane.liveRegistry.current.find("", "v1", "configmaps") ?? assert.fail();
    const { schema } =
      kindSchema("admissionregistration.k8s.io", "v1beta1", "ValidatingAdmissionPolicyList") ?? assert.fail();
    const policies = Object.create(served, { listSchema: { value: schema } });
    const rest = { entries: [], listMeta, pretty: false, nowMs, context: { yield: () => undefined } } as const;
    const body = listBody({ served: policies, representation: form(encoding), includeObject: "Metadata", ...rest });
    const pieces: Buffer[] = [];
    for await (const piece of body.pieces) {
      pieces.push(Buffer.from(piece));
    }
    const document = { kind: "ConfigMapList", apiVersion: "v1", metadata: listMeta };
    assert.equal(Buffer.concat(pieces).toString(), text(document, encoding, false));
  });
}

type Served = Parameters<typeof listBody>[0]["served"];

function wholeDocument(served: Served, objects: readonly JsonObject[], { as }: Representation): JsonObject {
  if (as === "Table") {
    const { table: definition } = served;
    const context = { now: nowMs };
    return buildTable({ definition, gvk: served, rows: served, objects, includeObject: "Metadata", listMeta, context });
  }
  if (as !== undefined) {
    const items = objects.map((object) => partialMetadata(served.metadataOf(object), "v1"));
    // v1.29 has null where there are none.
    return { kind: as, apiVersion: "meta.k8s.io/v1", metadata: listMeta, items: items.length === 0 ? null : items };
  }
  const items = objects.map(({ kind: _kind, apiVersion: _apiVersion, ...rest }) => rest);
  return { kind: "ConfigMapList", apiVersion: "v1", metadata: listMeta, items };
}

function text(document: JsonObject, encoding: Encoding, pretty: boolean): string {
  if (encoding === "yaml") {
    return encodeYaml(document);
  }
  const json = encodeJson(document);
  return pretty ? indentJson(Buffer.from(json)).toString() : `${json}\n`;
}

function wholeProtobuf(served: Served, objects: readonly JsonObject[], representation: Representation): Buffer {
  const document = wholeDocument(served, objects, representation);
  const { as } = representation;
  const schema = as === undefined ? served.listSchema : messageSchema(`k8s.io.apimachinery.pkg.apis.meta.v1.${as}`);
  const { kind, apiVersion } = document as { kind: string; apiVersion: string };
  return wrapUnknown(apiVersion, kind, encodeProtobuf(schema, document));
}
