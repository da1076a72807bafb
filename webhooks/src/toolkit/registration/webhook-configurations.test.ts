import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { kindSchema } from "@gatehouse/envelopes/schema";
import { allow } from "../decision/decision.js";
import { mutatingHook, validatingHook } from "../hooks/hook.js";
import { webhookConfigurations } from "./webhook-configurations.js";

const rules = [
  { operations: ["CREATE" as const], apiGroups: ["apps"], apiVersions: ["v1"], resources: ["deployments"] },
];
const validating = validatingHook({ name: "v.example.com", rules, handler: () => allow() });
const mutating = mutatingHook({
  name: "m.example.com",
  rules,
  handler: () => allow(),
  failurePolicy: "Ignore",
  reinvocationPolicy: "IfNeeded",
  timeoutSeconds: 3,
  namespaceSelector: { matchLabels: { a: "b" } },
});

const wireRules = [{ ...rules[0], scope: "*" }];

test("the objects say everything that the declarations say", () => {
  const configurations = webhookConfigurations({
    hooks: [validating, mutating],
    name: "mine",
    location: { url: "https://127.0.0.1:8443/" },
    caBundlePem: "PEM",
  });
  assert.deepEqual(configurations, [
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "MutatingWebhookConfiguration",
      metadata: { name: "mine" },
      webhooks: [
        {
          name: "m.example.com",
          clientConfig: { url: "https://127.0.0.1:8443/mutating/m.example.com", caBundle: "UEVN" },
          rules: wireRules,
          failurePolicy: "Ignore",
          matchPolicy: "Equivalent",
          namespaceSelector: { matchLabels: { a: "b" } },
          objectSelector: {},
          sideEffects: "None",
          timeoutSeconds: 3,
          admissionReviewVersions: ["v1", "v1beta1"],
          reinvocationPolicy: "IfNeeded",
        },
      ],
    },
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "mine" },
      webhooks: [
        {
          name: "v.example.com",
          clientConfig: { url: "https://127.0.0.1:8443/validating/v.example.com", caBundle: "UEVN" },
          rules: wireRules,
          failurePolicy: "Fail",
          matchPolicy: "Equivalent",
          namespaceSelector: {},
          objectSelector: {},
          sideEffects: "None",
          timeoutSeconds: 10,
          admissionReviewVersions: ["v1", "v1beta1"],
        },
      ],
    },
  ]);
});

test("behind a service, hooks are found by path, and leave their own namespace alone", () => {
  const [configuration] = webhookConfigurations({
    hooks: [mutating],
    name: "mine",
    location: { service: { namespace: "policy", name: "hooks" } },
    ownNamespace: "policy",
    mountedAt: "/a",
  });
  const [webhook] = configuration?.webhooks ?? [];
  assert.deepEqual(webhook?.clientConfig, {
    service: { namespace: "policy", name: "hooks", port: 443, path: "/a/mutating/m.example.com" },
  });
  assert.deepEqual(webhook?.namespaceSelector, {
    matchLabels: { a: "b" },
    matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["policy"] }],
  });
});

test("the objects have no member that their kinds do not know", () => {
  const options = { hooks: [validating, mutating], name: "mine", location: { url: "https://a" } };
  for (const configuration of webhookConfigurations(options)) {
    const kind = kindSchema("admissionregistration.k8s.io", "v1", configuration.kind ?? "");
    assert.ok(kind);
    assert.deepEqual(decodeJson(kind.schema, configuration as unknown as JsonObject).unknownFields, []);
  }
});
