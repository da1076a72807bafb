import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { decodeJson, parseYaml } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import type { ObjectSchema } from "@gatehouse/envelopes/schema";
import type { ApiClient } from "../../spec/support/api-client.js";
import { assertCode } from "../../spec/support/assert-status.js";
import { schemaOf } from "./encodings.js";
import { overlay, substitute, substituteText, without } from "./json-overlay.js";
import type { Sample } from "./sample.js";
import type { AnnouncedResource } from "./served-resources.js";

/** A resource under test: where it is, and what its objects look like. */
export interface Subject {
  readonly client: ApiClient;
  readonly resource: AnnouncedResource;
  readonly sample: Sample;
  readonly schema: ObjectSchema;
  /** Namespace of the objects; empty for cluster-scoped resources. */
  readonly namespace: string;
  /** The collection, or one object of it or one of its subresources. */
  path(name?: string, subresource?: string): string;
  /** The n-th object in YAML, as a person would write it. */
  written(n: number): Promise<string>;
  /** The n-th object before the server has seen it. */
  sent(n: number): Promise<JsonObject>;
  /** The n-th object as v1.29 stores it, without what only the server knows. */
  expected(n: number, uid: string): Promise<JsonObject>;
  /** Returns the object in the form in which the server writes objects. */
  canonical(object: JsonObject): JsonObject;
  /** Returns the object without the members that only the server knows. */
  comparable(object: JsonObject): JsonObject;
}

export interface SubjectOptions {
  readonly client: ApiClient;
  readonly resource: AnnouncedResource;
  readonly sample: Sample;
  /** Every feature is on. */
  readonly allFeatures: boolean;
}

const serverOwned = ["uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"];

export async function createSubject(options: SubjectOptions): Promise<Subject> {
  const { client, resource, sample, allFeatures } = options;
  const { apiVersion, group, version, kind } = resource;
  const namespace = resource.namespaced ? await freshNamespace(client) : "";
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = `${root}${namespace === "" ? "" : `/namespaces/${namespace}`}/${resource.resource}`;
  const schema = schemaOf(apiVersion, kind);

  const written = async (n: number): Promise<string> =>
    substituteText(sample.yaml, { $namespace: namespace, $n: String(n) });
  const sent = async (n: number): Promise<JsonObject> => asObject((await parseYaml(await written(n))).value);
  const canonical = (object: JsonObject): JsonObject => {
    const { kind: _kind, apiVersion: _apiVersion, ...members } = decodeJson(schema, object, { empty: "null" }).object;
    return { kind, apiVersion, ...members };
  };
  const comparable = (object: JsonObject): JsonObject =>
    without(object, [...serverOwned.map((name) => `metadata.${name}`), ...(sample.volatile ?? [])]);

  return {
    client,
    resource,
    sample,
    schema,
    namespace,
    path: (name, subresource) => [collection, name, subresource].filter((part) => part !== undefined).join("/"),
    written,
    sent,
    async expected(n, uid) {
      const added = overlay<JsonObject>(sample.defaults ?? {}, allFeatures ? sample.featureDefaults : undefined);
      const fields = namespace === "" ? {} : { metadata: { namespace } };
      const whole = overlay(overlay(await sent(n), substitute(added, { $n: String(n), $uid: uid })), fields);
      return comparable(canonical(without(whole, sample.writeOnly ?? [])));
    },
    canonical,
    comparable,
  };
}

async function freshNamespace(client: ApiClient): Promise<string> {
  const name = `kinds-${randomBytes(6).toString("hex")}`;
  assertCode(await client.post("/api/v1/namespaces", { metadata: { name } }), 201);
  return name;
}

export function asObject(value: JsonValue | undefined): JsonObject {
  assert.ok(isJsonObject(value), JSON.stringify(value));
  return value;
}

export interface Meta extends JsonObject {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

export function metaOf(object: JsonObject): Meta {
  return asObject(object["metadata"]) as Meta;
}

export function nameOf(object: JsonObject): string {
  return metaOf(object).name;
}

/** The object as the server has it now. */
export async function current(subject: Subject, name: string): Promise<JsonObject> {
  const answer = await subject.client.get(subject.path(name));
  assertCode(answer, 200);
  return answer.document as unknown as JsonObject;
}
