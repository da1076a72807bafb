import assert from "node:assert/strict";
import { test } from "node:test";
import { AdmissionChain } from "./admission-chain.js";
import type { AdmissionPlugin } from "./admission-plugin.js";
import { testAttributes } from "./testing/test-write.js";

/** Returns a plugin that notes when it is asked, at once or later. */
function noting(name: string, notes: string[], isLate = false): AdmissionPlugin {
  const note = (phase: string): void | Promise<void> => {
    if (isLate) {
      return Promise.resolve().then(() => void notes.push(`${name} ${phase}`));
    }
    notes.push(`${name} ${phase}`);
  };
  return { name, admit: () => note("admits"), validate: () => note("validates") };
}

test("plugins are asked one after the other, also when one has to wait", async () => {
  const notes: string[] = [];
  const chain = new AdmissionChain([noting("a", notes), noting("b", notes, true), noting("c", notes)]);
  const attributes = testAttributes({ object: {} });
  await chain.mutate(attributes);
  await chain.validate(attributes);
  assert.deepEqual(notes, ["a admits", "b admits", "c admits", "a validates", "b validates", "c validates"]);
});

test("a chain in which nobody waits answers at once", () => {
  assert.equal(new AdmissionChain([noting("a", [])]).mutate(testAttributes({ object: {} })), undefined);
});

test("a plugin is asked about what concerns it only", async () => {
  const notes: string[] = [];
  const pods = {
    ...noting("pods", notes),
    concerns: ({ resource }: { resource: { resource: string } }) => resource.resource === "pods",
  };
  const chain = new AdmissionChain([pods]);
  await chain.mutate(testAttributes({ object: {}, resource: "configmaps" }));
  await chain.mutate(testAttributes({ object: {}, resource: "pods" }));
  assert.deepEqual(notes, ["pods admits"]);
});

test("a plugin that refuses is the last one asked", async () => {
  const notes: string[] = [];
  const refusing: AdmissionPlugin = {
    name: "no",
    admit: async () => {
      throw new Error("no");
    },
  };
  const chain = new AdmissionChain([noting("a", notes), refusing, noting("b", notes)]);
  await assert.rejects(async () => chain.mutate(testAttributes({ object: {} })), /no/);
  assert.deepEqual(notes, ["a admits"]);
});

test("the mutating phase runs again when a plugin asks for it, and once only", async () => {
  const runs: boolean[] = [];
  const asking: AdmissionPlugin = {
    name: "again",
    admit({ reinvocation }) {
      runs.push(reinvocation.isUnderWay);
      reinvocation.request();
    },
  };
  await new AdmissionChain([asking]).mutate(testAttributes({ object: {} }));
  assert.deepEqual(runs, [false, true]);
});
