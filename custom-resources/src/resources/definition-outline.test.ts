import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CacheEntry } from "@gatehouse/apiserver/storage";
import { encodeStoredJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { definitionOutline } from "./definition-outline.js";

function definition(schemas: readonly (object | undefined)[], annotations = {}): JsonObject {
  const versions = schemas.map((openAPIV3Schema, index) => ({
    name: `v${index}`,
    schema: { openAPIV3Schema },
    storage: index === 0,
  }));
  return JSON.parse(
    JSON.stringify({ kind: "X", metadata: { annotations, name: "ä" }, spec: { versions }, status: {} }),
  );
}

function outlineOf(object: JsonObject): JsonObject {
  return definitionOutline(CacheEntry.of("x", 1, Buffer.from(encodeStoredJson(object))));
}

describe("the outline of a definition", () => {
  it("has everything but what is in its schemas", () => {
    const schema = {
      type: "object",
      description: 'ends with "}} and \\',
      properties: {
        openAPIV3Schema: { type: "string", default: '{"openAPIV3Schema":{' },
        "": { enum: ["", '"', "\\"] },
      },
    };
    assert.deepEqual(outlineOf(definition([schema, undefined, {}, schema])), definition([{}, undefined, {}, {}]));
  });

  it("takes a text that looks like a schema for a text", () => {
    const applied = { last: JSON.stringify(definition([{ type: "object" }])), other: '"openAPIV3Schema":{' };
    assert.deepEqual(outlineOf(definition([{ type: "object" }], applied)), definition([{}], applied));
  });

  it("tells of bytes that are damaged what a reader of them is told", () => {
    const bytes = Buffer.from(encodeStoredJson(definition([{ type: "object" }])));
    for (const length of [bytes.length - 1, bytes.indexOf("object") + 3, 5]) {
      assert.throws(() => definitionOutline(CacheEntry.of("x", 1, bytes.subarray(0, length))), SyntaxError);
    }
  });
});
