import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { objectsInMemory } from "../testing/objects-in-memory.js";
import { singleForms } from "../testing/single-forms.js";
import { testAttributes } from "../testing/test-write.js";
import type { Webhook } from "./webhook.js";
import { WebhookSource } from "./webhook-source.js";

const configuration = (name: string, resources: readonly string[]): JsonObject => ({
  metadata: { name },
  webhooks: [
    {
      name: `${name}.example.com`,
      rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: [...resources] }],
    },
  ],
});

test("which rules match is worked out once for a sort of write, and anew when a configuration changes", () => {
  let matched = 0;
  const compiled = (name: string): readonly Webhook[] => {
    const rule = { matches: () => ++matched > 0 };
    return [{ name, rules: [rule], matchesEquivalents: false } as unknown as Webhook];
  };
  let list: readonly (readonly Webhook[])[] = [compiled("a"), compiled("b")];
  const objects = {
    ...objectsInMemory({}),
    view: () => ({ get: () => undefined, list: () => list, catchUp: async () => {} }),
  };
  const source = new WebhookSource(objects as never, singleForms, "validating");
  const names = () => source.candidates(testAttributes({ object: {} })).map(({ webhook }) => webhook.name);
  for (let index = 0; index < 1000; index++) {
    assert.deepEqual(names(), ["a", "b"]);
  }
  assert.equal(matched, 2);
  list = [...list, compiled("c")];
  assert.deepEqual(names(), ["a", "b", "c"]);
  assert.equal(matched, 5);
});

test("the index of a webhook counts those that do not match, too", () => {
  const objects = objectsInMemory({
    "admissionregistration.k8s.io/validatingwebhookconfigurations": [
      configuration("a", ["pods"]),
      configuration("b", ["configmaps"]),
    ],
  });
  const source = new WebhookSource(objects, singleForms, "validating");
  assert.deepEqual(
    source.candidates(testAttributes({ object: {} })).map(({ webhook, index }) => [webhook.name, index]),
    [["b.example.com", 1]],
  );
});
