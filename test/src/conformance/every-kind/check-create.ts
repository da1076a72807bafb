import assert from "node:assert/strict";
import { encodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { assertCode } from "../../spec/support/assert-status.js";
import { decodeAnswer, encodeBody, encodings, mediaTypeOf, viewIn } from "./encodings.js";
import { overlay } from "./json-overlay.js";
import { current, metaOf, nameOf, type Subject } from "./subject.js";

/** Creates one object in each encoding, compares them with what v1.29 makes of them, and returns them. */
export async function checkCreate(subject: Subject): Promise<readonly JsonObject[]> {
  const created: JsonObject[] = [];
  for (const [index, encoding] of encodings.entries()) {
    const n = index + 1;
    const body =
      encoding === "yaml" ? Buffer.from(await subject.written(n)) : encodeBody(await subject.sent(n), encoding);
    const answer = await subject.client.post(`${subject.path()}?fieldValidation=Strict`, body, {
      "content-type": mediaTypeOf[encoding],
      accept: mediaTypeOf[encoding],
    });
    assertCode(answer, 201);
    const object = await decodeAnswer(answer, encoding);
    checkServerOwned(subject, object);
    const expected = await subject.expected(n, metaOf(object).uid);
    assert.deepEqual(
      subject.comparable(object),
      subject.comparable(viewIn(expected, encoding)),
      `created in ${encoding}`,
    );
    const stored = await current(subject, nameOf(object));
    assert.deepEqual(viewIn(stored, encoding), object, `as stored, and as answered in ${encoding}`);
    assert.equal(JSON.stringify(stored), JSON.stringify(subject.canonical(stored)), "members are in wire order");
    created.push(object);
  }
  return created;
}

function checkServerOwned(subject: Subject, object: JsonObject): void {
  const meta = metaOf(object);
  assert.match(meta.uid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.match(meta.resourceVersion, /^[1-9][0-9]*$/);
  const age = Date.now() - Date.parse(String(meta["creationTimestamp"]));
  assert.ok(age > -2000 && age < 60_000, String(meta["creationTimestamp"]));
  const { generation = "none" } = subject.sample;
  const first = generation === "fixed" || generation === "counted" ? 1 : undefined;
  assert.equal(meta["generation"], first, `generation of ${encodeJson(object)}`);
}

/** Checks that values of members that only the server writes are ignored, and that a used name is refused. */
export async function checkCreateRefusals(subject: Subject, taken: JsonObject): Promise<void> {
  const again = await subject.client.post(subject.path(), await subject.sent(1));
  assertCode(again, 409);
  assert.equal(again.document.reason, "AlreadyExists");
  const withVersion = await subject.client.post(
    subject.path(),
    overlay(await subject.sent(1), { metadata: { resourceVersion: metaOf(taken).resourceVersion } }),
  );
  assertCode(withVersion, 400);
  assert.equal(withVersion.document.message, "resourceVersion should not be set on objects to be created");
  const unknown = { ...(await subject.sent(4)), surprise: true };
  const strict = await subject.client.post(`${subject.path()}?fieldValidation=Strict`, unknown);
  assertCode(strict, 400);
  assert.match(String(strict.document.message), /strict decoding error: unknown field "surprise"$/);
  const otherKind = await subject.client.post(subject.path(), { kind: "Nonsense", apiVersion: "v1", metadata: {} });
  assertCode(otherKind, 400);
  const nameless = await subject.client.post(subject.path(), { metadata: {} });
  // v1.29 makes up a name for limits.
  assertCode(nameless, subject.resource.kind === "LimitRange" ? 201 : 422);
}

/** A dry run answers as if it were none, and leaves nothing behind. */
export async function checkDryRun(subject: Subject): Promise<void> {
  const answer = await subject.client.post(`${subject.path()}?dryRun=All`, await subject.sent(4));
  assertCode(answer, 201);
  const object = answer.document as unknown as JsonObject;
  assert.deepEqual(subject.comparable(object), await subject.expected(4, metaOf(object).uid));
  assertCode(await subject.client.get(subject.path(nameOf(object))), 404);
}
