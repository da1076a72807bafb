import assert from "node:assert/strict";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { assertCode } from "../../spec/support/assert-status.js";
import { checkMoved } from "./check-update.js";
import { decodeAnswer, encodings, mediaTypeOf, viewIn } from "./encodings.js";
import { overlay } from "./json-overlay.js";
import { current, metaOf, type Subject } from "./subject.js";

const mergePatch = "application/merge-patch+json";
const jsonPatch = "application/json-patch+json";
const strategicMergePatch = "application/strategic-merge-patch+json";

/** Labels, annotations and the desired state by all three kinds of patch. */
export async function checkPatches(subject: Subject, name: string): Promise<void> {
  const { countsMetadata, change, generation } = subject.sample;
  await patch(subject, name, mergePatch, { metadata: { labels: { tier: "front" } } }, countsMetadata === "labels", {
    metadata: { labels: { tier: "front" } },
  });
  await patch(
    subject,
    name,
    strategicMergePatch,
    { metadata: { annotations: { "example.com/note": "a" } } },
    countsMetadata === "annotations",
    { metadata: { annotations: { "example.com/note": "a" } } },
  );
  await patch(
    subject,
    name,
    jsonPatch,
    [
      { op: "test", path: "/metadata/annotations/example.com~1note", value: "a" },
      { op: "replace", path: "/metadata/annotations/example.com~1note", value: "b" },
    ],
    countsMetadata === "annotations",
    { metadata: { annotations: { "example.com/note": "b" } } },
  );
  await patch(subject, name, strategicMergePatch, { metadata: { finalizers: ["example.com/held"] } }, false, {
    metadata: { finalizers: ["example.com/held"] },
  });
  const held = await current(subject, name);
  const { finalizers: _finalizers, ...released } = metaOf(held);
  const freed = await subject.client.patch(subject.path(name), mergePatch, { metadata: { finalizers: null } });
  assertCode(freed, 200);
  assert.deepEqual(
    subject.comparable(freed.document as unknown as JsonObject),
    subject.comparable({ ...held, metadata: released }),
  );

  // Back and forth: a patch that says what already holds writes nothing.
  const before = await current(subject, name);
  for (const type of [mergePatch, strategicMergePatch]) {
    const same = await subject.client.patch(subject.path(name), type, structOnly(change));
    assertCode(same, 200);
    assert.deepEqual(same.document, before, `${type}, ${String(generation)}`);
  }
  for (const encoding of encodings) {
    const answer = await subject.client.request("PATCH", subject.path(name), {
      headers: { "content-type": mergePatch, accept: mediaTypeOf[encoding] },
      body: "{}",
    });
    assert.deepEqual(await decodeAnswer(answer, encoding), viewIn(before, encoding));
  }
}

/** The change as far as lists are not in it, which a patch would not lay over each other by place. */
function structOnly(change: JsonObject): JsonObject {
  return JSON.stringify(change).includes("[") ? {} : change;
}

async function patch(
  subject: Subject,
  name: string,
  type: string,
  body: unknown,
  counts: boolean,
  effect: JsonObject,
): Promise<void> {
  const before = await current(subject, name);
  const answer = await subject.client.patch(subject.path(name), type, body);
  assertCode(answer, 200);
  const after = answer.document as unknown as JsonObject;
  assert.deepEqual(subject.comparable(after), subject.comparable(subject.canonical(overlay(before, effect))), type);
  checkMoved(before, after, counts);
}
