import assert from "node:assert/strict";
import { test } from "node:test";
import { testAttributes } from "@gatehouse/apiserver/admission/testing";
import type { PolicyRule, RbacIndex } from "@gatehouse/policies/rbac";
import { escalationOf } from "./confirm-no-escalation.js";

const names = Array.from({ length: 3000 }, (_, index) => `w${index}`);
const wide: PolicyRule = { verbs: names, apiGroups: names, resources: names, resourceNames: [], nonResourceURLs: [] };

/** Privileges of a user who holds the wide rule in two parts, so that it has to be taken apart. */
const privileges = {
  rbac: async () => {
    const rules = [
      { ...wide, verbs: names.slice(1) },
      { ...wide, verbs: names.slice(0, 1) },
    ];
    return { rulesFor: () => ({ rules, missing: [] }) } as unknown as RbacIndex;
  },
};

test("other work runs while a small role that stands for many rules is compared with those that the user holds", async () => {
  let yields = 0;
  const attributes = testAttributes({
    yield: async () => {
      yields++;
    },
  });
  assert.match((await escalationOf(attributes, privileges, [wide])) ?? "", /\nand more$/);
  assert.ok(yields > 20, `${yields} yields`);
});

test("a comparison of rules ends when nobody waits for it any more", async () => {
  const gone = new Error("the client has gone away");
  const attributes = testAttributes({ yield: () => Promise.reject(gone) });
  await assert.rejects(escalationOf(attributes, privileges, [wide]), gone);
});
