import assert from "node:assert/strict";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { assertCode } from "../../spec/support/assert-status.js";
import { checkMoved, put } from "./check-update.js";
import { decodeAnswer, encodings, viewIn } from "./encodings.js";
import { overlay, without } from "./json-overlay.js";
import { current, metaOf, nameOf, type Subject } from "./subject.js";

const labels = { labels: { written: "yes" } };
const annotations = { annotations: { "example.com/written": "yes" } };

/** Through /status nothing but status changes, and through the object everything but status. */
export async function checkStatus(subject: Subject, names: readonly string[]): Promise<void> {
  const { status } = subject.sample;
  assert.ok(status !== undefined, "the sample has a status");
  for (const [index, encoding] of encodings.entries()) {
    const before = await current(subject, names[index] as string);
    if (subject.sample.statusIsPartOfObject !== true) {
      const elsewhere = overlay(before, { status });
      const main = await put(subject, elsewhere, encoding);
      assertCode(main, 200);
      assert.deepEqual(
        await decodeAnswer(main, encoding),
        viewIn(before, encoding),
        `status is not the object's own in ${encoding}`,
      );
    }

    const sent = overlay({ ...before, status: {} }, { ...meddled(subject), status });
    const answer = await put(subject, sent, encoding, "status");
    assertCode(answer, 200);
    const after = await decodeAnswer(answer, encoding);
    const expected = viewIn(subject.canonical({ ...before, status: { ...status } }), encoding);
    assert.deepEqual(withoutMetadata(subject, after), withoutMetadata(subject, expected), `written in ${encoding}`);
    checkMetadata(subject, before, after);
    const now = await current(subject, nameOf(before));
    assert.deepEqual(viewIn(now, encoding), after);
    const read = await subject.client.get(subject.path(nameOf(before), "status"));
    assert.deepEqual(read.document, now);
  }
  await checkStatusPatch(subject, names[0] as string);
}

/** A write of status that tries to change the rest, too. */
function meddled({ sample }: Subject): JsonObject {
  return { ...sample.change, metadata: { ...labels, ...annotations } };
}

function withoutMetadata(subject: Subject, object: JsonObject): JsonObject {
  return without(subject.comparable(object), ["metadata"]);
}

function checkMetadata(subject: Subject, before: JsonObject, after: JsonObject): void {
  const { statusWrites = "labels and annotations" } = subject.sample;
  const written = {
    "labels and annotations": { ...labels, ...annotations },
    annotations,
    "no metadata": {},
  }[statusWrites];
  // Who owns what after a write of status, the tests of managed fields tell.
  const { resourceVersion: _old, managedFields: _oldFields, ...old } = metaOf(before);
  const { resourceVersion: _new, managedFields: _newFields, ...now } = metaOf(after);
  assert.deepEqual(
    now,
    overlay(overlay(old as JsonObject, written), subject.sample.statusEffects?.["metadata"]),
    "metadata",
  );
  checkMoved(before, after, false);
}

async function checkStatusPatch(subject: Subject, name: string): Promise<void> {
  // What an older version says of a status may be less exact than what is stored; said once, it stays the same.
  const said = await subject.client.patch(subject.path(name, "status"), "application/merge-patch+json", {
    status: (await current(subject, name))["status"],
  });
  assertCode(said, 200);
  const before = await current(subject, name);
  for (const type of ["application/merge-patch+json", "application/strategic-merge-patch+json"]) {
    const same = await subject.client.patch(subject.path(name, "status"), type, { status: before["status"] });
    assertCode(same, 200);
    assert.deepEqual(same.document, before);
  }
  const missing = await put(subject, await subject.sent(6), "json", "status");
  assertCode(missing, 404);
}
