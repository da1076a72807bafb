import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Hook, HookServers } from "../admission-webhooks/hook-server.js";
import { allow, answer, base64, deny, patch } from "../admission-webhooks/webhook-case.js";
import { assertCode, assertStatus } from "./support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace } from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const section = "Resources and their fields, Admission review";
const group = "admissionregistration.k8s.io";

/** Members of a request, as JSON has them. */
type Request = Readonly<Record<string, unknown>> & { readonly uid: string };

describe(section, () => {
  let hooks: HookServers;

  before(async () => {
    hooks = await HookServers.start();
  });

  after(async () => {
    await hooks[Symbol.asyncDispose]();
  });

  /** A namespace whose ConfigMaps and Deployments a hook is asked about. */
  async function hookedNamespace(type: "Mutating" | "Validating", hook: Hook, more: object = {}): Promise<string> {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    hooks.hooks = { ...hooks.hooks, [`/${namespace}`]: hook };
    const webhook = {
      name: "hook.example.com",
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      clientConfig: { url: `${hooks.url("GOOD")}/${namespace}`, caBundle: hooks.caBundle },
      rules: [
        { operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] },
        {
          operations: ["*"],
          apiGroups: ["apps"],
          apiVersions: ["v1"],
          resources: ["deployments", "deployments/scale"],
        },
      ],
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
      ...more,
    };
    const path = `/apis/${group}/v1/${type.toLowerCase()}webhookconfigurations`;
    const configuration = { metadata: { name: namespace }, webhooks: [webhook] };
    assertCode(await client.post(path, configuration), 201);
    return namespace;
  }

  const requestsOf = (namespace: string): readonly Request[] =>
    hooks.received.filter(({ path }) => path.startsWith(`/${namespace}?`)).map(({ review }) => review.request);

  /** Returns the request that an allowing hook receives when `write` writes ConfigMap `a`. */
  async function requestOf(write: (namespace: string) => Promise<unknown>): Promise<Request> {
    const namespace = await hookedNamespace("Validating", allow());
    await write(namespace);
    return requestsOf(namespace).at(-1) ?? assert.fail("the hook was not asked");
  }

  const created = () => requestOf(async (namespace) => createConfigMap(await serverWith(), namespace, "a"));
  const kind = { group: "", version: "v1", kind: "ConfigMap" };
  const resource = { group: "", version: "v1", resource: "configmaps" };

  it(`${section}, uid: is of the round trip and not of the request; an answer must copy it`, async () => {
    const [first, second] = [await created(), await created()];
    assert.match(first.uid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.notEqual(first.uid, second.uid);
    const namespace = await hookedNamespace("Validating", (review) =>
      answer({ ...review, request: { ...review.request, uid: "another" } }, { allowed: true }),
    );
    const refused = await (await serverWith()).post(configMapsPath(namespace), { metadata: { name: "a" } });
    const message = `failed calling webhook "hook.example.com": received invalid webhook response: expected response.uid=${JSON.stringify(requestsOf(namespace)[0]?.uid)}, got "another"`;
    assertStatus(refused, {
      code: 500,
      reason: "InternalError",
      message: `Internal error occurred: ${message}`,
      details: { causes: [{ message }] },
    });
  });

  it(`${section}, kind, resource, requestKind and requestResource: what is written, as the client has named it`, async () => {
    const { kind: asked, requestKind, resource: of, requestResource } = await created();
    assert.deepEqual([asked, requestKind, of, requestResource], [kind, kind, resource, resource]);
  });

  it(`${section}, subResource and requestSubResource: absent for the object itself`, async () => {
    const client = await serverWith();
    assert.equal("subResource" in (await created()), false);
    const scaled = await requestOf(async (namespace) => {
      const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
      const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
      const spec = { selector: { matchLabels: { a: "b" } }, template };
      assertCode(await client.post(deployments, { metadata: { name: "d" }, spec }), 201);
      assertCode(
        await client.patch(`${deployments}/d/scale`, "application/merge-patch+json", { spec: { replicas: 2 } }),
        200,
      );
    });
    assert.deepEqual([scaled["subResource"], scaled["requestSubResource"]], ["scale", "scale"]);
    assert.deepEqual(scaled["kind"], { group: "autoscaling", version: "v1", kind: "Scale" });
  });

  it(`${section}, name and namespace: of the object; a name that is generated is not known yet to mutating hooks`, async () => {
    const request = await created();
    assert.equal(request["name"], "a");
    assert.match(String(request["namespace"]), /^spec-/);
    const namespace = await hookedNamespace("Mutating", allow());
    const client = await serverWith();
    assertCode(await client.post(configMapsPath(namespace), { metadata: { generateName: "g-" } }), 201);
    assert.equal("name" in (requestsOf(namespace)[0] ?? {}), false);
  });

  it(`${section}, operation, object and oldObject: what is done, whatever the verb, and to what`, async () => {
    const client = await serverWith();
    const namespace = await hookedNamespace("Validating", allow());
    await createConfigMap(client, namespace, "a", { data: { k: "1" } });
    assertCode(
      await client.patch(configMapsPath(namespace, "a"), "application/merge-patch+json", { data: { k: "2" } }),
      200,
    );
    assertCode(await client.delete(configMapsPath(namespace, "a")), 200);
    const dataOf = (object: unknown) => (object as { data?: unknown } | null)?.data ?? null;
    assert.deepEqual(
      requestsOf(namespace).map(({ operation, object, oldObject }) => [operation, dataOf(object), dataOf(oldObject)]),
      [
        ["CREATE", { k: "1" }, null],
        ["UPDATE", { k: "2" }, { k: "1" }],
        ["DELETE", null, { k: "2" }],
      ],
    );
  });

  it(`${section}, userInfo: who asks`, async () => {
    assert.deepEqual((await created())["userInfo"], {
      username: "kubernetes-admin",
      groups: ["system:masters", "system:authenticated"],
    });
  });

  it(`${section}, dryRun: true where nothing will be stored`, async () => {
    assert.equal((await created())["dryRun"], false);
    const dry = await requestOf(async (namespace) =>
      (await serverWith()).post(configMapsPath(namespace, "", "dryRun=All"), { metadata: { name: "a" } }),
    );
    assert.equal(dry["dryRun"], true);
  });

  it(`${section}, options: those of the operation`, async () => {
    const request = await requestOf(async (namespace) =>
      (await serverWith()).post(configMapsPath(namespace, "", "fieldManager=me&fieldValidation=Strict"), {
        metadata: { name: "a" },
      }),
    );
    assert.deepEqual(request["options"], {
      kind: "CreateOptions",
      apiVersion: "meta.k8s.io/v1",
      fieldManager: "me",
      fieldValidation: "Strict",
    });
  });

  it(`${section}, allowed and status: a denial is told with its code, reason and message`, async () => {
    const client = await serverWith();
    const status = { code: 418, reason: "Teapot", message: "no coffee" };
    const namespace = await hookedNamespace("Validating", deny(status));
    const refused = await client.post(configMapsPath(namespace), { metadata: { name: "a" } });
    assertStatus(refused, {
      ...status,
      message: 'admission webhook "hook.example.com" denied the request: no coffee',
    });
    const allowed = await hookedNamespace("Validating", allow({ status }));
    assertCode(await client.post(configMapsPath(allowed), { metadata: { name: "a" } }), 201);
  });

  it(`${section}, patch and patchType: a JSON Patch changes the object, and nothing else does`, async () => {
    const client = await serverWith();
    const operations = [{ op: "add", path: "/data", value: { added: "yes" } }];
    const patched = await hookedNamespace("Mutating", patch(operations));
    const answered = await client.post(configMapsPath(patched), { metadata: { name: "a" } });
    assert.deepEqual((answered.document as unknown as { data: unknown }).data, { added: "yes" });
    const other = await hookedNamespace("Mutating", allow({ patchType: "MergePatch", patch: base64({}) }));
    assertCode(await client.post(configMapsPath(other), { metadata: { name: "a" } }), 500);
  });

  it("Errors, 5: a denial carries the status of the hook, with its details", async () => {
    const client = await serverWith();
    const details = {
      kind: "ConfigMap",
      causes: [{ reason: "FieldValueInvalid", message: "too small", field: "data" }],
    };
    const namespace = await hookedNamespace(
      "Validating",
      deny({ code: 409, reason: "Conflict", message: "no", details }),
    );
    assertStatus(await client.post(configMapsPath(namespace), { metadata: { name: "a" } }), {
      code: 409,
      reason: "Conflict",
      message: 'admission webhook "hook.example.com" denied the request: no',
      details,
    });
  });

  it("Limits, Admission warning length: what is longer than 256 may be cut, and is not while there are few", async () => {
    const client = await serverWith();
    const warning = "w".repeat(300);
    const namespace = await hookedNamespace("Validating", allow({ warnings: [warning] }));
    const answered = await client.post(configMapsPath(namespace), { metadata: { name: "a" } });
    assert.equal(answered.headers["warning"], `299 - "${warning}"`);
  });

  it(`${section}, auditAnnotations and warnings: are no part of the object; warnings reach the client`, async () => {
    const client = await serverWith();
    const hook = allow({ auditAnnotations: { key: "value" }, warnings: ["careful"] });
    const namespace = await hookedNamespace("Validating", hook);
    const answered = await client.post(configMapsPath(namespace), { metadata: { name: "a" } });
    assertCode(answered, 201);
    assert.equal(answered.text.includes("value"), false);
    assert.equal(answered.headers["warning"], `299 - "careful"`);
  });
});
