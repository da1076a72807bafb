import assert from "node:assert/strict";
import { test } from "node:test";
import { scalarCodes } from "../generated/table.js";
import { scalarKinds } from "./build.js";
import { kindSchema, messageSchema, schemaRegistry } from "./registry.js";
import type { ObjectSchema, Schema } from "./schema.js";

test("the registry reads the codes of scalars that the compiler writes", () => {
  assert.deepEqual(
    scalarKinds.map((kind) => (kind === "boolean" ? "bool" : kind)),
    scalarCodes.slice(0, -1),
  );
});

test("a kind is found under its own group version only", () => {
  const deployment = kindSchema("apps", "v1", "Deployment");
  assert.equal(deployment?.schema.name, "k8s.io.api.apps.v1.Deployment");
  assert.equal(deployment.hasObjectMeta, true);
  assert.equal(deployment.isList, false);
  assert.equal(kindSchema("apps", "v1", "DeploymentList")?.isList, true);
  assert.equal(kindSchema("batch", "v1", "Deployment"), undefined);
});

test("kinds of meta/v1 are found under the group version of the request", () => {
  for (const kind of ["DeleteOptions", "Status", "WatchEvent", "Table", "PartialObjectMetadata", "APIResourceList"]) {
    const found = kindSchema("apps", "v1", kind);
    assert.equal(found?.schema.name, `k8s.io.apimachinery.pkg.apis.meta.v1.${kind}`);
    assert.equal(found.group, "apps");
    assert.equal(kindSchema("", "v1", kind)?.version, "v1");
  }
});

test("kind and apiVersion come first, and inlined members are properties of the message that holds them", () => {
  const pod = kindSchema("", "v1", "Pod")?.schema;
  assert.deepEqual(
    pod?.fields.map((field) => field.name),
    ["kind", "apiVersion", "metadata", "spec", "status"],
  );
  const volume = messageSchema("k8s.io.api.core.v1.Volume");
  assert.equal(volume.fields.length, 2);
  assert.equal(volume.properties.get("emptyDir")?.pointer, true);
});

test("options of the IDL arrive in the schema", () => {
  const podSpec = messageSchema("k8s.io.api.core.v1.PodSpec");
  const containers = podSpec.properties.get("containers");
  assert.deepEqual(containers?.patchStrategy, ["merge"]);
  assert.equal(containers.patchMergeKey, "name");
  assert.equal(containers.required, true);
  assert.equal(podSpec.properties.get("dnsPolicy")?.default, "ClusterFirst");
  assert.equal(podSpec.properties.get("terminationGracePeriodSeconds")?.default, 30);
  assert.deepEqual(podSpec.properties.get("securityContext")?.default, {});
  const port = messageSchema("k8s.io.api.core.v1.ContainerPort").properties.get("protocol");
  assert.deepEqual(port?.schema, { type: "scalar", scalar: "string", enum: ["TCP", "UDP", "SCTP"] });
  const claimRef = messageSchema("k8s.io.api.core.v1.PersistentVolumeSpec").properties.get("claimRef")?.schema;
  assert.equal(claimRef?.type === "object" && claimRef.mapType, "granular");
  assert.equal(messageSchema("k8s.io.api.core.v1.ObjectReference").mapType, "atomic");
});

test("lifecycle and replacement of a kind that is no longer served", () => {
  const kind = kindSchema("apps", "v1beta1", "Deployment");
  assert.equal(kind?.removed, "1.16");
  assert.deepEqual(kind.replacement, { group: "apps", version: "v1", kind: "Deployment" });
});

test("every message of every kind can be built", () => {
  const seen = new Set<ObjectSchema>();
  function visit(schema: Schema): void {
    if (schema.type === "object" && !seen.has(schema)) {
      seen.add(schema);
      for (const field of schema.fields) {
        assert.equal(typeof field.description, "string");
        visit(field.schema);
      }
    } else if (schema.type === "map") {
      visit(schema.values);
    } else if (schema.type === "list") {
      visit(schema.items);
    } else if (schema.type === "union") {
      visit(schema.object);
    }
  }
  for (const kind of schemaRegistry().kinds()) {
    visit(kind.schema);
  }
  assert.ok(seen.size > 900);
});
