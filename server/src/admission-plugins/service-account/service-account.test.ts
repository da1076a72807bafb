import assert from "node:assert/strict";
import { test } from "node:test";
import { askPlugin, objectsInMemory, type PluginAnswer } from "@gatehouse/apiserver/admission/testing";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { serviceAccount } from "./service-account.js";

function account(name: string, more: JsonObject = {}): JsonObject {
  return { metadata: { namespace: "n", name }, ...more };
}

const strict = {
  metadata: { namespace: "n", name: "strict", annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } },
  automountServiceAccountToken: false,
  secrets: [{ name: "own" }],
};

function ask(accounts: readonly JsonObject[], spec: JsonObject, annotations: JsonObject = {}): Promise<PluginAnswer> {
  const plugin = serviceAccount({ objects: objectsInMemory({ serviceaccounts: accounts }) });
  const object = { metadata: { name: "p", annotations }, spec: { containers: [{ name: "c" }], ...spec } };
  return askPlugin(plugin, { resource: "pods", kind: "Pod", object });
}

test("a pod runs under the default account, with its token mounted", async () => {
  const { object, refusal } = await ask([account("default", { imagePullSecrets: [{ name: "pull" }] })], {});
  assert.equal(refusal, undefined);
  const spec = object?.["spec"] as { volumes: [JsonObject]; containers: [JsonObject] } & JsonObject;
  const name = textAt(spec.volumes[0], "name");
  assert.match(name, /^kube-api-access-[a-z0-9]{5}$/);
  assert.deepEqual(spec, {
    serviceAccountName: "default",
    serviceAccount: "default",
    imagePullSecrets: [{ name: "pull" }],
    containers: [
      {
        name: "c",
        volumeMounts: [{ name, readOnly: true, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" }],
      },
    ],
    volumes: [
      {
        name,
        projected: {
          defaultMode: 420,
          sources: [
            { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
            { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
            {
              downwardAPI: {
                items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
              },
            },
          ],
        },
      },
    ],
  });
});

test("an account that is not there is refused at once, unless it is the one that every namespace gets", async () => {
  const { refusal } = await ask([], { serviceAccountName: "x" });
  assert.deepEqual(refusal, [
    403,
    'pods "p" is forbidden: error looking up service account n/x: serviceaccount "x" not found',
  ]);
});

test("the default account is waited for", async () => {
  const accounts: JsonObject[] = [];
  const objects = objectsInMemory({ serviceaccounts: accounts });
  const object = { metadata: { name: "p" }, spec: { containers: [] } };
  const answer = askPlugin(serviceAccount({ objects }), { resource: "pods", kind: "Pod", object });
  await objects.create({ group: "", resource: "serviceaccounts" }, account("default"));
  assert.equal((await answer).refusal, undefined);
});

test("an account that lists its secrets keeps its pods from others, also from whole ones", async () => {
  const variables = { containers: [{ name: "c", envFrom: [{ secretRef: { name: "other" } }] }] };
  assert.deepEqual((await ask([strict], { serviceAccountName: "strict", ...variables })).refusal, [
    403,
    'pods "p" is forbidden: container c with envFrom referencing secret.secretName="other" is not allowed because service account strict does not reference that secret',
  ]);
  const own = { containers: [{ name: "c", envFrom: [{ secretRef: { name: "own" } }] }] };
  assert.equal((await ask([strict], { serviceAccountName: "strict", ...own })).refusal, undefined);
});

test("a mirror pod is left as it is, and asks for nothing", async () => {
  const mirror = { "kubernetes.io/config.mirror": "x" };
  const { object } = await ask([], {}, mirror);
  assert.deepEqual(object?.["spec"], { containers: [{ name: "c" }] });
  assert.deepEqual((await ask([], { volumes: [{ name: "v", secret: { secretName: "s" } }] }, mirror)).refusal, [
    403,
    'pods "p" is forbidden: a mirror pod may not reference secrets',
  ]);
});
