import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { assertCode } from "../spec/support/assert-status.js";
import { startTestServer } from "../support/start-test-server.js";
import { removeCompletely } from "./every-kind/check-delete.js";
import { type Cohabitation, cohabitations } from "./every-kind/cohabiting-versions.js";
import { overlay } from "./every-kind/json-overlay.js";
import { samples } from "./every-kind/samples.js";
import { type AnnouncedResource, announcedResources } from "./every-kind/served-resources.js";
import { createSubject, current, metaOf, nameOf, type Subject } from "./every-kind/subject.js";

test("versions that cohabit show the same objects", async (t) => {
  await using server = await startTestServer({
    flags: [
      "--controllers=-namespace-controller",
      // Flow control writes conditions of FlowSchemas.
      "--enable-priority-and-fairness=false",
      "--runtime-config=api/all=true",
      "--feature-gates=AllAlpha=true,AllBeta=true",
    ],
  });
  using client = createApiClient(server.clientConfig);
  const announced = await announcedResources(client);
  for (const cohabitation of cohabitations) {
    const { written, read, kind } = cohabitation;
    await t.test(`${kind}: written as ${written}, read as ${read}`, () => check(client, announced, cohabitation));
  }
});

async function check(
  client: ApiClient,
  announced: readonly AnnouncedResource[],
  { written, read, kind, shown, change, changed }: Cohabitation,
): Promise<void> {
  const writer = await subjectFor(client, announced, written, kind);
  const reader = await subjectFor(client, announced, read, kind);
  // The reader looks where the writer writes.
  const readPath = (name?: string): string =>
    reader.path(name).replace(`/namespaces/${reader.namespace}/`, `/namespaces/${writer.namespace}/`);
  const version = (await client.get(readPath())).document.metadata.resourceVersion ?? "";
  using watch = await client.watch(`${readPath()}?watch=1&resourceVersion=${version}`);

  const answer = await client.post(writer.path(), await writer.sent(1));
  assertCode(answer, 201);
  const created = answer.document as unknown as JsonObject;
  const name = nameOf(created);
  const seen = (await client.get(readPath(name))).document as unknown as JsonObject;
  assert.equal(seen["apiVersion"], read);
  assert.equal(metaOf(seen).uid, metaOf(created).uid);
  assert.equal(metaOf(seen).resourceVersion, metaOf(created).resourceVersion);
  assert.deepEqual(seen, overlay(seen, shown), `${read} shows what was written`);
  assert.deepEqual(await watch.next(), { type: "ADDED", object: seen });
  const list = await client.get(readPath());
  assert.ok(list.document.items.some((item) => item.metadata.uid === metaOf(created).uid));

  const put = await client.put(readPath(name), overlay(seen, change));
  assertCode(put, 200);
  assert.equal(put.document.apiVersion, read);
  const now = await current(writer, name);
  assert.equal(now["apiVersion"], written);
  assert.equal(metaOf(now).resourceVersion, put.document.metadata.resourceVersion);
  assert.deepEqual(now, overlay(now, changed), `${written} shows what was changed`);
  assert.deepEqual(withoutMetadata(now), withoutMetadata(overlay(created, changed)), "and nothing else");
  const again = await client.put(writer.path(name), now);
  assertCode(again, 200);
  assert.deepEqual(again.document, now, "to write back what was read changes nothing");
  await removeCompletely(writer, name);
  assertCode(await client.get(readPath(name)), 404);
}

function withoutMetadata({ metadata: _metadata, ...members }: JsonObject): JsonObject {
  return members;
}

async function subjectFor(
  client: ApiClient,
  announced: readonly AnnouncedResource[],
  apiVersion: string,
  kind: string,
): Promise<Subject> {
  const resource = announced.find((item) => item.apiVersion === apiVersion && item.kind === kind);
  const sample = samples.get(`${apiVersion} ${kind}`);
  assert.ok(resource !== undefined && sample !== undefined, `${apiVersion} ${kind}`);
  return createSubject({ client, resource, sample, allFeatures: true });
}
