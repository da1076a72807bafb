import assert from "node:assert/strict";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { Answer } from "../../spec/support/api-client.js";
import { assertCode } from "../../spec/support/assert-status.js";
import { type BodyEncoding, decodeAnswer, encodeBody, encodings, mediaTypeOf, viewIn } from "./encodings.js";
import { overlay, substitute } from "./json-overlay.js";
import { current, metaOf, nameOf, type Subject } from "./subject.js";

export function put(
  subject: Subject,
  object: JsonObject,
  encoding: BodyEncoding,
  subresource?: string,
): Promise<Answer> {
  return subject.client.put(subject.path(nameOf(object), subresource), encodeBody(object, encoding), {
    "content-type": mediaTypeOf[encoding],
    accept: mediaTypeOf[encoding],
  });
}

/** The desired state is changed in every encoding; to change nothing is not to write. */
export async function checkUpdate(subject: Subject, names: readonly string[]): Promise<void> {
  const { change, changeEffects } = subject.sample;
  for (const [index, encoding] of encodings.entries()) {
    const before = await current(subject, names[index] as string);
    const same = await put(subject, before, encoding);
    assertCode(same, 200);
    assert.deepEqual(
      await decodeAnswer(same, encoding),
      viewIn(before, encoding),
      `nothing has changed in ${encoding}`,
    );

    const wanted = overlay(before, change);
    const answer = await put(subject, wanted, encoding);
    assertCode(answer, 200);
    const after = await decodeAnswer(answer, encoding);
    const effects = substitute(changeEffects ?? {}, { $n: String(index + 1) });
    assert.deepEqual(
      subject.comparable(after),
      subject.comparable(viewIn(subject.canonical(overlay(wanted, effects)), encoding)),
      `changed in ${encoding}`,
    );
    checkMoved(before, after, countsChange(subject));
    assert.deepEqual(viewIn(await current(subject, nameOf(before)), encoding), after);

    const stale = await put(subject, wanted, encoding);
    assertCode(stale, 409);
    const again = await put(subject, after, encoding);
    assert.deepEqual(await decodeAnswer(again, encoding), after, `nothing has changed again in ${encoding}`);
  }
}

/** Reports whether `sample.change` is of the desired state. */
function countsChange({ sample }: Subject): boolean {
  const { generation = "none" } = sample;
  return generation.startsWith("counted") && sample.changeDoesNotCount !== true;
}

/** The version has moved; uid and creation time have not; generation only where the desired state has. */
export function checkMoved(before: JsonObject, after: JsonObject, counts: boolean): void {
  const [old, now] = [metaOf(before), metaOf(after)];
  assert.ok(Number(now.resourceVersion) > Number(old.resourceVersion), "resourceVersion grows");
  assert.equal(now.uid, old.uid);
  assert.equal(now["creationTimestamp"], old["creationTimestamp"]);
  assert.equal(now["generation"], counts ? Number(old["generation"] ?? 0) + 1 : old["generation"], "generation");
}

/** An update of what is not there, or without a version. */
export async function checkUpdateRules(subject: Subject, name: string): Promise<void> {
  const { createdByUpdate, needsResourceVersion } = subject.sample;
  const before = await current(subject, name);
  const { resourceVersion: _version, ...metadata } = metaOf(before);
  const unconditional = await put(subject, { ...before, metadata }, "json");
  if (needsResourceVersion === true) {
    assertCode(unconditional, 422);
    assert.match(
      String(unconditional.document.message),
      /metadata\.resourceVersion: Invalid value: (0|0x0|""): must be specified for an update$/,
    );
  } else {
    assertCode(unconditional, 200);
    assert.deepEqual(unconditional.document, before);
  }
  const fresh = await subject.sent(5);
  const created = await put(subject, fresh, "json");
  if (createdByUpdate === true) {
    assertCode(created, 201);
    assertCode(await subject.client.delete(subject.path(nameOf(fresh))), 200);
  } else {
    assertCode(created, 404);
  }
  const otherUid = await put(
    subject,
    overlay(before, { metadata: { uid: "00000000-0000-4000-8000-000000000000" } }),
    "json",
  );
  assertCode(otherUid, 409);
  const otherName = await subject.client.put(subject.path(name), overlay(before, { metadata: { name: "other" } }));
  assertCode(otherName, 400);
}
