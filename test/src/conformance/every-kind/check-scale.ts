import assert from "node:assert/strict";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { assertCode } from "../../spec/support/assert-status.js";
import { checkMoved } from "./check-update.js";
import { decodeAnswer, encodeBody, encodings, mediaTypeOf } from "./encodings.js";
import { overlay } from "./json-overlay.js";
import { asObject, current, metaOf, type Subject } from "./subject.js";

/** Replicas are read and written through /scale, in every encoding, and nothing else is. */
export async function checkScale(subject: Subject, name: string): Promise<void> {
  const { client } = subject;
  const path = subject.path(name, "scale");
  for (const [index, encoding] of encodings.entries()) {
    const before = await current(subject, name);
    const answer = await client.get(path, { accept: mediaTypeOf[encoding] });
    assertCode(answer, 200);
    const scale = await decodeAnswer(answer, encoding);
    assert.equal(scale["kind"], "Scale");
    assert.equal(scale["apiVersion"], "autoscaling/v1");
    const { name: scaledName, uid, resourceVersion } = metaOf(scale);
    const own = metaOf(before);
    assert.deepEqual([scaledName, uid, resourceVersion], [own.name, own.uid, own.resourceVersion]);
    assert.ok(typeof asObject(scale["status"])["selector"] === "string");

    const replicas = 10 + index;
    const wanted = overlay(scale, { spec: { replicas } });
    const written = await client.put(path, encodeBody(wanted, encoding), {
      "content-type": mediaTypeOf[encoding],
      accept: mediaTypeOf[encoding],
    });
    assertCode(written, 200);
    assert.deepEqual(asObject((await decodeAnswer(written, encoding))["spec"]), { replicas });
    const after = await current(subject, name);
    assert.deepEqual(subject.comparable(after), subject.comparable(overlay(before, { spec: { replicas } })));
    checkMoved(before, after, true);
    assertCode(await client.put(path, wanted), 409);
  }
  const patched = await client.patch(path, "application/merge-patch+json", { spec: { replicas: 0 } });
  assertCode(patched, 200);
  assert.deepEqual(patched.document["spec"], {});
  const negative = await client.patch(path, "application/merge-patch+json", { spec: { replicas: -1 } });
  assertCode(negative, 422);
  const after: JsonObject = await current(subject, name);
  assert.equal(asObject(after["spec"])["replicas"], 0);
}
