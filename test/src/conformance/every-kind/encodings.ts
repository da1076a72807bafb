import assert from "node:assert/strict";
import {
  decodeJson,
  decodeProtobuf,
  encodeProtobuf,
  encodeYaml,
  parseYaml,
  unwrapEnvelope,
  wrapUnknown,
} from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { groupVersionOf, kindSchema } from "@gatehouse/envelopes/schema";
import type { Answer } from "../../spec/support/api-client.js";

export const encodings = ["json", "yaml", "protobuf"] as const;
export type BodyEncoding = (typeof encodings)[number];

export const mediaTypeOf: Readonly<Record<BodyEncoding, string>> = {
  json: "application/json",
  yaml: "application/yaml",
  protobuf: "application/vnd.kubernetes.protobuf",
};

/** An object as a client of that encoding sends it. */
export function encodeBody(object: JsonObject, encoding: BodyEncoding): Buffer {
  switch (encoding) {
    case "json":
      return Buffer.from(JSON.stringify(object));
    case "yaml":
      return Buffer.from(encodeYaml(object));
    case "protobuf": {
      const apiVersion = String(object["apiVersion"]);
      const kind = String(object["kind"]);
      const schema = schemaOf(apiVersion, kind);
      return wrapUnknown(apiVersion, kind, encodeProtobuf(schema, decodeJson(schema, object).object));
    }
  }
}

/** The object in an answer, which must be in the encoding that was asked for. */
export async function decodeAnswer(answer: Answer, encoding: BodyEncoding): Promise<JsonObject> {
  assert.equal(answer.headers["content-type"], mediaTypeOf[encoding], answer.text.slice(0, 1000));
  return decodeBytes(answer.bytes, encoding);
}

export async function decodeBytes(bytes: Buffer, encoding: BodyEncoding): Promise<JsonObject> {
  switch (encoding) {
    case "json":
      return JSON.parse(bytes.toString()) as JsonObject;
    case "yaml": {
      const { value } = await parseYaml(bytes.toString());
      assert.ok(isJsonObject(value));
      return value;
    }
    case "protobuf":
      return decodeEnvelope(bytes);
  }
}

/** The object in a protobuf envelope, with the kind that the envelope says. */
export function decodeEnvelope(bytes: Uint8Array): JsonObject {
  const envelope = unwrapEnvelope(bytes);
  const schema = schemaOf(envelope.apiVersion, envelope.kind);
  return { kind: envelope.kind, apiVersion: envelope.apiVersion, ...decodeProtobuf(schema, envelope.raw) };
}

/** Returns the object as that encoding preserves it: protobuf has no place for the kinds of objects inside objects. */
export function viewIn(object: JsonObject, encoding: BodyEncoding): JsonObject {
  return encoding === "protobuf" ? decodeEnvelope(encodeBody(object, encoding)) : object;
}

export function schemaOf(apiVersion: string, kind: string): NonNullable<ReturnType<typeof kindSchema>>["schema"] {
  const { group, version } = groupVersionOf(apiVersion);
  const found = kindSchema(group, version, kind);
  assert.ok(found !== undefined, `no schema for ${apiVersion} ${kind}`);
  return found.schema;
}
