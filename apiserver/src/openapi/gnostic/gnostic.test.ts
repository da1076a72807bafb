import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { builtinApi } from "@gatehouse/server/kinds";
import { cronTabs, exampleApi } from "../../discovery/example-api.test.support.js";
import { OpenApiSource } from "../openapi-source.js";
import {
  any,
  anys,
  createReader,
  double,
  extensions,
  flag,
  map,
  message,
  messages,
  named,
  readMessage,
  type Shape,
  text,
  texts,
  wrapper,
} from "./read-gnostic.test.support.js";

const swaggerSchema: Shape = {
  1: text("$ref"),
  2: text("format"),
  4: text("description"),
  13: text("pattern"),
  19: texts("required"),
  20: anys("enum"),
  21: message("additionalProperties", () => ({ 1: wrapper(() => swaggerSchema) })),
  22: wrapper(() => ({ 1: text("type") })),
  23: message("items", () => ({ 1: wrapper(() => swaggerSchema) })),
  25: map("properties", () => swaggerSchema),
  31: extensions,
};
const place: Shape = { 1: flag("required"), 2: text("in"), 3: text("description"), 4: text("name") };
const swaggerParameter: Shape = {
  1: wrapper(() => ({
    1: wrapper(() => ({
      2: text("name"),
      3: text("in"),
      4: flag("required"),
      5: message("schema", () => swaggerSchema),
    })),
    2: wrapper(() => ({
      3: wrapper(() => ({ ...place, 6: text("type"), 20: flag("uniqueItems") })),
      4: wrapper(() => ({ ...place, 5: text("type"), 19: flag("uniqueItems") })),
    })),
  })),
};
const swaggerResponse: Shape = {
  1: wrapper(() => ({ 1: text("description"), 2: message("schema", () => ({ 1: wrapper(() => swaggerSchema) })) })),
};
const swaggerOperation: Shape = {
  1: texts("tags"),
  3: text("description"),
  5: text("operationId"),
  6: texts("produces"),
  7: texts("consumes"),
  8: messages("parameters", () => swaggerParameter),
  9: message("responses", () => ({ 1: named(() => swaggerResponse) })),
  10: texts("schemes"),
  13: extensions,
};
const swaggerPath: Shape = {
  2: message("get", () => swaggerOperation),
  3: message("put", () => swaggerOperation),
  4: message("post", () => swaggerOperation),
  5: message("delete", () => swaggerOperation),
  6: message("options", () => swaggerOperation),
  7: message("head", () => swaggerOperation),
  8: message("patch", () => swaggerOperation),
  9: messages("parameters", () => swaggerParameter),
};
const swaggerDocument: Shape = {
  1: text("swagger"),
  2: message("info", () => ({ 1: text("title"), 2: text("version") })),
  8: message("paths", () => ({ 2: named(() => swaggerPath) })),
  9: map("definitions", () => swaggerSchema),
  12: messages("security", () => ({ 1: named(() => ({ 1: texts("value") })) })),
  13: map("securityDefinitions", () => ({
    2: wrapper(() => ({ 1: text("type"), 2: text("name"), 3: text("in"), 4: text("description") })),
  })),
};

const reference: Shape = { 1: text("$ref") };
const schemaOrReference: Shape = { 1: wrapper(() => openapi3Schema), 2: wrapper(() => reference) };
const openapi3Schema: Shape = {
  1: flag("nullable"),
  17: text("pattern"),
  23: texts("required"),
  24: anys("enum"),
  25: text("type"),
  26: messages("allOf", () => schemaOrReference),
  27: messages("oneOf", () => schemaOrReference),
  28: messages("anyOf", () => schemaOrReference),
  30: message("items", () => ({ 1: wrapper(() => schemaOrReference) })),
  31: map("properties", () => schemaOrReference),
  32: message("additionalProperties", () => ({ 1: wrapper(() => schemaOrReference) })),
  33: wrapper(() => ({ 1: double("default"), 2: flag("default"), 3: text("default") })),
  34: text("description"),
  35: text("format"),
  36: extensions,
};
const mediaTypes = map("content", () => ({ 1: message("schema", () => schemaOrReference) }));
const openapi3Parameter: Shape = {
  1: wrapper(() => ({
    1: text("name"),
    2: text("in"),
    3: text("description"),
    4: flag("required"),
    10: message("schema", () => ({ 1: wrapper(() => ({ 20: flag("uniqueItems"), 25: text("type") })) })),
  })),
};
const openapi3Operation: Shape = {
  1: texts("tags"),
  3: text("description"),
  5: text("operationId"),
  6: messages("parameters", () => openapi3Parameter),
  7: message("requestBody", () => ({ 1: wrapper(() => ({ 2: mediaTypes, 3: flag("required") })) })),
  8: message("responses", () => ({
    2: named(() => ({ 1: wrapper(() => ({ 1: text("description"), 3: mediaTypes })) })),
  })),
  13: extensions,
};
const openapi3Path: Shape = {
  4: message("get", () => openapi3Operation),
  5: message("put", () => openapi3Operation),
  6: message("post", () => openapi3Operation),
  7: message("delete", () => openapi3Operation),
  8: message("options", () => openapi3Operation),
  9: message("head", () => openapi3Operation),
  10: message("patch", () => openapi3Operation),
  13: messages("parameters", () => openapi3Parameter),
};
const openapi3Document: Shape = {
  1: text("openapi"),
  2: message("info", () => ({ 1: text("title"), 6: text("version") })),
  4: message("paths", () => ({ 1: named(() => openapi3Path) })),
  5: message("components", () => ({
    1: map("schemas", () => schemaOrReference),
    7: map("securitySchemes", () => ({
      1: wrapper(() => ({ 1: text("type"), 2: text("description"), 3: text("name"), 4: text("in") })),
    })),
  })),
};

suite("gnostic's protobuf", () => {
  for (const [what, api] of [
    ["the built-in API", builtinApi()],
    ["an API with a custom kind", exampleApi],
  ] as const) {
    const documents = new OpenApiSource().documentsOf(api);

    test(`holds all that the JSON of Swagger 2.0 holds, for ${what}`, async () => {
      const expected = JSON.parse((await documents.swagger.json()).json.toString()) as JsonObject;
      expected["security"] = [{ BearerToken: {} }];
      const bytes = await documents.swagger.protobuf();
      assert.deepEqual(readMessage(createReader(bytes), swaggerDocument, bytes.length), expected);
    });

    test(`holds all that the JSON of OpenAPI 3.0 holds but structured defaults, for ${what}`, async () => {
      for (const [id, document] of documents.openapi3) {
        const expected = JSON.parse((await document.json()).json.toString(), (key, value) =>
          // A member that is called "default" is no default.
          key === "default" && typeof value === "object" && value.type === undefined && value.allOf === undefined
            ? undefined
            : value,
        );
        const bytes = await document.protobuf();
        assert.deepEqual(readMessage(createReader(bytes), openapi3Document, bytes.length), expected, id);
      }
    });
  }

  test("integers of all 64 bits are told in every form", async () => {
    const wide = { type: "integer", default: 2n ** 63n - 1n, enum: [2n ** 53n + 1n], minimum: -(2n ** 63n) };
    const kind = { ...cronTabs, openAPIV3Schema: () => ({ type: "object", properties: { wide } }) };
    const version = { group: "stable.example.com", version: "v1", resources: [kind] };
    const group = { name: version.group, versions: [version], preferredVersion: "v1" };
    const documents = new OpenApiSource().documentsOf({ ...exampleApi, groups: [group] });
    const v3 = documents.openapi3.get("apis/stable.example.com/v1");
    assert.ok(v3 !== undefined);
    const told =
      '"wide":{"type":"integer","default":9223372036854775807,"enum":[9007199254740993],"minimum":-9223372036854775808}';
    assert.ok((await v3.json()).json.toString().includes(told));
    assert.ok((await documents.swagger.json()).json.toString().includes('"enum":[9007199254740993]'));
    for (const bytes of [await v3.protobuf(), await documents.swagger.protobuf()]) {
      assert.ok(Buffer.from(bytes).includes("9007199254740993"));
    }
  });

  test("any value is carried as YAML text", () => {
    const shape: Shape = { 1: any("value") };
    const bytes = Buffer.concat([Buffer.from([0x0a, 0x06, 0x12, 0x04]), Buffer.from("[1]\n")]);
    assert.deepEqual(readMessage(createReader(bytes), shape, bytes.length), { value: [1] });
  });
});
