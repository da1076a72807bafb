import assert from "node:assert/strict";
import { test } from "node:test";
import type { Access } from "@gatehouse/apiserver/admission";
import { askPlugin, type TestWrite } from "@gatehouse/apiserver/admission/testing";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { ownerReferencesPermissionEnforcement } from "./owner-references-permission-enforcement.js";
import { testParts } from "./plugin.test.support.js";

function owner(uid: string, more: JsonObject = {}): JsonObject {
  return { apiVersion: "v1", kind: "Pod", name: `p${uid}`, uid, ...more };
}

const object = (...ownerReferences: JsonObject[]): JsonObject => ({ metadata: { name: "a", ownerReferences } });
const update = (old: JsonObject, now: JsonObject): TestWrite => ({
  operation: "UPDATE",
  name: "a",
  oldObject: old,
  object: now,
});

/** Answers with the refusal, and with what was asked of the authorizer. */
async function ask(write: TestWrite, allows: (access: Access) => boolean) {
  const asked: string[] = [];
  const plugin = ownerReferencesPermissionEnforcement(
    testParts({
      mayDo(access) {
        const { verb, group, version, resource, subresource, namespace, name } = access;
        asked.push([verb, group, version, resource, subresource, namespace, name].join(" "));
        return { isAllowed: allows(access), reason: "because" };
      },
    }),
  );
  return { refusal: (await askPlugin(plugin, write)).refusal?.[1], asked };
}

const deletion = "delete  v1 configmaps  n a";
const anything = "update * * * finalizers  *";

test("owners are changed only by who may delete the object", async () => {
  assert.deepEqual(await ask(update(object(owner("1")), object(owner("1"))), () => false), {
    refusal: undefined,
    asked: [],
  });
  assert.deepEqual(await ask({ object: object(owner("1")) }, () => false), { refusal: undefined, asked: [] });
  assert.deepEqual(await ask(update(object(), object(owner("1"))), () => false), {
    refusal: `configmaps "a" is forbidden: cannot set an ownerRef on a resource you can't delete: because, <nil>`,
    asked: [deletion],
  });
  assert.deepEqual(await ask(update(object(owner("1")), object()), () => true), {
    refusal: undefined,
    asked: [deletion],
  });
});

test("owners are made to wait only by who may set their finalizers", async () => {
  const blocking = owner("1", { blockOwnerDeletion: true });
  const write = update(object(owner("1")), object(blocking, owner("2")));
  assert.deepEqual(await ask(write, ({ resource }) => resource === "configmaps"), {
    refusal: `configmaps "a" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: because, <nil>`,
    asked: [deletion, anything, "update  v1 pods finalizers n p1"],
  });
  assert.deepEqual(await ask(write, () => true), { refusal: undefined, asked: [deletion, anything] });
  const stays = update(object(blocking), object(blocking, owner("2")));
  assert.deepEqual(await ask(stays, () => true), { refusal: undefined, asked: [deletion] });
  const ofNode = object(owner("1", { kind: "Node", blockOwnerDeletion: true }));
  const { asked } = await ask({ object: ofNode }, ({ name }) => name !== "*");
  assert.deepEqual(asked, [anything, "update  v1 nodes finalizers  p1"]);
});

test("an owner of a kind that nobody serves cannot be made to wait", async () => {
  const unknown = { apiVersion: "example.com/v1", kind: "Thing", name: "t", uid: "1", blockOwnerDeletion: true };
  const { refusal } = await ask({ object: object(unknown) }, () => false);
  assert.equal(
    refusal,
    'configmaps "a" is forbidden: cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion example.com/v1 Kind Thing: no matches for kind "Thing" in version "example.com/v1"',
  );
});
