import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonSchemaOf } from "./json-schema.js";
import { kindSchema } from "./registry.js";

test("a document has its kind, the members of the kind and no others", () => {
  const kind = kindSchema("apiserver.config.k8s.io", "v1", "AdmissionConfiguration") ?? assert.fail();
  assert.deepEqual(jsonSchemaOf(kind), {
    type: "object",
    properties: {
      apiVersion: { const: "apiserver.config.k8s.io/v1" },
      kind: { const: "AdmissionConfiguration" },
      plugins: {
        anyOf: [
          {
            type: "array",
            items: { $ref: "#/$defs/k8s.io.apiserver.pkg.apis.apiserver.v1.AdmissionPluginConfiguration" },
          },
          { type: "null" },
        ],
      },
    },
    required: ["apiVersion", "kind"],
    additionalProperties: false,
    $defs: {
      "k8s.io.apiserver.pkg.apis.apiserver.v1.AdmissionPluginConfiguration": {
        type: "object",
        properties: {
          name: { type: "string" },
          path: { anyOf: [{ type: "string" }, { type: "null" }] },
          configuration: { anyOf: [{ type: "object" }, { type: "null" }] },
        },
        required: ["name"],
        additionalProperties: false,
      },
    },
  });
});

test("a message that contains itself is described once", () => {
  const kind = kindSchema("apiextensions.k8s.io", "v1", "CustomResourceDefinition") ?? assert.fail();
  const definitions = jsonSchemaOf(kind)["$defs"] as Record<string, unknown>;
  assert.ok("k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps" in definitions);
});
