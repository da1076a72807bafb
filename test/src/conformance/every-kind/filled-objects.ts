import assert from "node:assert/strict";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import { decodeJson, encodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../../spec/support/api-client.js";
import { assertCode } from "../../spec/support/assert-status.js";
import { samples } from "./samples.js";
import { announcedResources } from "./served-resources.js";
import { asObject, createSubject, metaOf, nameOf, type Subject } from "./subject.js";
import { filledValidly } from "./valid-filler.js";

/** An object in which every member is set, as it is stored, and where it is served in the version of the store. */
export interface FilledObject {
  readonly subject: Subject;
  readonly object: JsonObject;
}

/**
 * Puts objects into the store of a server in which every member is set to something of the right type: rules of kinds let
 * no such object in, since many members exclude each other, but what is stored must come out whole. The server makes one
 * object of each kind from its sample; it is then filled while the server is down.
 */
export async function storeFilledObjects(server: ControlPlane, allFeatures: boolean): Promise<readonly FilledObject[]> {
  using client = createApiClient(server.clientConfig);
  const created = await createSamples(client, allFeatures);
  await server.kill("SIGTERM");
  const filled: FilledObject[] = [];
  {
    await using store = await openLmdbStore({ directory: server.dataDirectory });
    const { kvs } = await store.range({ prefix: "/registry/" });
    for (const { key, value, modRevision } of kvs) {
      const stored = JSON.parse(String(value)) as JsonObject;
      const subject = created
        .get(String(metaOf(stored).uid))
        ?.find(({ resource }) => resource.apiVersion === stored["apiVersion"] && resource.kind === stored["kind"]);
      if (subject !== undefined) {
        const object = fill(subject, stored);
        await store.put(key, Buffer.from(encodeJson(object)), { expectedRevision: modRevision });
        filled.push({ subject, object });
      }
    }
  }
  await server.restart();
  return filled;
}

/** Creates the samples. Returns by uid the resources under which an object is served, one for each version. */
async function createSamples(
  client: ApiClient,
  allFeatures: boolean,
): Promise<ReadonlyMap<string, readonly Subject[]>> {
  const created = new Map<string, Subject[]>();
  for (const resource of await announcedResources(client)) {
    const sample = samples.get(`${resource.apiVersion} ${resource.kind}`);
    if (sample === undefined) {
      continue;
    }
    const subject = await createSubject({ client, resource, sample, allFeatures });
    const answer = await client.post(subject.path(), await subject.sent(1));
    if (answer.status !== 409) {
      assertCode(answer, 201);
      const { uid = "" } = answer.document.metadata;
      created.set(uid, [...(created.get(uid) ?? []), subject]);
    }
  }
  return created;
}

function fill(subject: Subject, stored: JsonObject): JsonObject {
  const { kind, apiVersion } = stored;
  const filled = filledValidly(subject.schema);
  const metadata = { ...asObject(filled["metadata"]), ...asObject(stored["metadata"]) };
  const { object } = decodeJson(subject.schema, { ...filled, metadata }, { empty: "null" });
  assert.equal(nameOf(object), nameOf(stored));
  return { kind: kind as string, apiVersion: apiVersion as string, ...object };
}
