import assert from "node:assert/strict";
import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { assertCode } from "../../spec/support/assert-status.js";
import { removeCompletely } from "./check-delete.js";
import { mediaTypeOf, viewIn } from "./encodings.js";
import { openProtobufWatch, type WatchedEvent } from "./open-frames.js";
import { nameOf, type Subject } from "./subject.js";

/** A watch, in JSON and in protobuf, tells of an object that comes, changes and goes. */
export async function checkWatch(subject: Subject, config: ClientConfig): Promise<void> {
  const { client } = subject;
  const list = await client.get(subject.path());
  const since = `${subject.path()}?watch=1&resourceVersion=${list.document.metadata.resourceVersion ?? ""}`;
  using json = await client.watch(since);
  assert.equal(json.status, 200);
  using protobuf = await openProtobufWatch(config, since, `${mediaTypeOf.protobuf};stream=watch`);
  assert.equal(protobuf.status, 200);
  assert.equal(protobuf.contentType, `${mediaTypeOf.protobuf};stream=watch`);

  const answer = await client.post(subject.path(), await subject.sent(7));
  assertCode(answer, 201);
  const created = answer.document as unknown as JsonObject;
  const name = nameOf(created);
  const changed = await client.patch(subject.path(name), "application/merge-patch+json", {
    metadata: { annotations: { "example.com/watched": "yes" } },
  });
  assertCode(changed, 200);
  await removeCompletely(subject, name);

  const readJson = async (): Promise<WatchedEvent> => (await json.next()) as unknown as WatchedEvent;
  for (const [encoding, next] of [
    ["json", readJson],
    ["protobuf", protobuf.next],
  ] as const) {
    assert.deepEqual(await next(), { type: "ADDED", object: viewIn(created, encoding) });
    const now = changed.document as unknown as JsonObject;
    assert.deepEqual(await next(), { type: "MODIFIED", object: viewIn(now, encoding) });
    let last = await next();
    // What lingers is marked as terminating, and then let go.
    for (; last.type === "MODIFIED"; last = await next()) {
      assert.equal(nameOf(last.object), name);
    }
    assert.equal(last.type, "DELETED");
    assert.equal(nameOf(last.object), name);
  }
}
