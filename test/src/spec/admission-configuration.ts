import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { HookServers } from "../admission-webhooks/hook-server.js";
import type { Answer, ApiClient } from "./support/api-client.js";
import { assertCode, assertStatus } from "./support/assert-status.js";
import { freshNamespace } from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const images = "Resources and their fields, Image review";
const events = "Resources and their fields, Event rate limit configuration";
const plugins = "Resources and their fields, Admission plugin configuration";

/** Namespaces in which Events are limited share one bucket each; a burst of three, and next to nothing after it. */
const burst = 3;

describe("Admission as it is configured", () => {
  let hooks: HookServers;
  let folder: string;
  let client: ApiClient;

  before(async () => {
    hooks = await HookServers.start();
    folder = await mkdtemp(join(tmpdir(), "admission-configuration-"));
    client = await serverWith(
      "--enable-admission-plugins=ImagePolicyWebhook,EventRateLimit",
      `--admission-control-config-file=${await writeConfiguration()}`,
    );
  });

  after(async () => {
    await hooks[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  async function write(name: string, content: unknown): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, JSON.stringify(content));
    return path;
  }

  /** One plugin is configured by a path that starts from this file, the other one inside of it. */
  async function writeConfiguration(): Promise<string> {
    await write("images.kubeconfig", {
      apiVersion: "v1",
      kind: "Config",
      clusters: [
        { name: "c", cluster: { server: `${hooks.url("GOOD")}/images`, "certificate-authority-data": hooks.caBundle } },
      ],
      users: [{ name: "u", user: {} }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      "current-context": "x",
    });
    await write("images.yaml", { imagePolicy: { kubeConfigFile: "images.kubeconfig", denyTTL: -1, allowTTL: -1 } });
    const limits = [
      { type: "Namespace", qps: 1, burst, cacheSize: 2 },
      { type: "User", qps: 1000, burst: 1000 },
    ];
    const limiting = { apiVersion: "eventratelimit.admission.k8s.io/v1alpha1", kind: "Configuration", limits };
    return await write("admission.yaml", {
      apiVersion: "apiserver.config.k8s.io/v1",
      kind: "AdmissionConfiguration",
      plugins: [
        { name: "ImagePolicyWebhook", path: "images.yaml" },
        { name: "EventRateLimit", path: "nowhere.yaml", configuration: limiting },
      ],
    });
  }

  const review = { apiVersion: "imagepolicy.k8s.io/v1alpha1", kind: "ImageReview" };

  async function createPod(namespace: string, annotations: Record<string, string> = {}) {
    return await client.post(`/api/v1/namespaces/${namespace}/pods`, {
      metadata: { name: "p", annotations },
      spec: {
        initContainers: [{ name: "i", image: "example.com/init:1" }],
        containers: [{ name: "c", image: "example.com/app:1" }],
      },
    });
  }

  it(`${plugins}: a path starts from the file that names it, and a configuration wins over a path`, async () => {
    const namespace = await freshNamespace(client);
    hooks.hooks = { "/images": () => ({ json: { ...review, status: { allowed: true } } }) };
    const before = hooks.received.length;
    assertCode(await createPod(namespace), 201);
    // By images.yaml, and by the kubeconfig that this names.
    assert.deepEqual(
      hooks.received.slice(before).map(({ path }) => path.split("?", 1)[0]),
      ["/images"],
    );
    // By what stands in the file itself: there is no nowhere.yaml.
    const codes = codesOf(await sendEvents(namespace, burst + 8, "e"));
    assert.deepEqual([codes[0], codes.includes(429)], [201, true]);
  });

  it(`${images}, metadata and spec (required): containers, annotations of the right keys, and the namespace`, async () => {
    const namespace = await freshNamespace(client);
    hooks.hooks = { "/images": () => ({ json: { ...review, status: { allowed: true } } }) };
    assertCode(await createPod(namespace, { "a.image-policy.k8s.io/b": "1", "example.com/c": "2" }), 201);
    const asked = hooks.received.at(-1)?.review as unknown as { metadata: unknown; spec: unknown };
    assert.deepEqual(asked, {
      ...review,
      metadata: { creationTimestamp: null },
      spec: {
        containers: [{ image: "example.com/app:1" }, { image: "example.com/init:1" }],
        annotations: { "a.image-policy.k8s.io/b": "1" },
        namespace,
      },
      status: { allowed: false },
    });
  });

  it(`${images}, status: not allowed is denied with the reason`, async () => {
    const namespace = await freshNamespace(client);
    hooks.hooks = { "/images": () => ({ json: { ...review, status: { allowed: false, reason: "no such luck" } } }) };
    assertStatus(await createPod(namespace), {
      code: 403,
      reason: "Forbidden",
      message: 'pods "p" is forbidden: image policy webhook backend denied one or more images: no such luck',
      details: { name: "p", kind: "pods" },
    });
  });

  const createEvent = (namespace: string, name: string) =>
    client.post(`/api/v1/namespaces/${namespace}/events`, {
      metadata: { name },
      involvedObject: { kind: "Pod", namespace, name: "p" },
    });

  /** The answers to so many Events, one after the other. */
  async function sendEvents(namespace: string, count: number, prefix: string): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    for (let index = 0; index < count; index++) {
      answers.push(await createEvent(namespace, `${prefix}${index}`));
    }
    return answers;
  }

  const codesOf = (answers: readonly Answer[]): readonly number[] => answers.map(({ status }) => status);

  it(`${events}, limits, Limit.type, Limit.qps and Limit.burst: a burst passes, then 429`, async () => {
    const namespace = await freshNamespace(client);
    const answers = await sendEvents(namespace, burst + 8, "e");
    assert.deepEqual(codesOf(answers.slice(0, burst)), Array(burst).fill(201));
    assertStatus(answers.find(({ status }) => status !== 201) ?? assert.fail("nothing was refused"), {
      code: 429,
      reason: "TooManyRequests",
      message: `Too many requests: limit reached on type Namespace for key ${namespace}`,
    });
  });

  it(`${events}, Limit.cacheSize: a bucket that was evicted starts full again`, async () => {
    const namespace = await freshNamespace(client);
    await sendEvents(namespace, burst + 8, "e");
    for (let index = 0; index < 2; index++) {
      assertCode(await createEvent(await freshNamespace(client), "other"), 201);
    }
    assert.deepEqual(codesOf(await sendEvents(namespace, burst, "again")), Array(burst).fill(201));
  });

  it("Limits, --default-not-ready-toleration-seconds, --default-unreachable-toleration-seconds: 300 each", async () => {
    const namespace = await freshNamespace(client);
    hooks.hooks = { "/images": () => ({ json: { ...review, status: { allowed: true } } }) };
    const { document } = await createPod(namespace);
    assert.deepEqual(
      (document as unknown as { spec: { tolerations: unknown } }).spec.tolerations,
      ["not-ready", "unreachable"].map((condition) => ({
        key: `node.kubernetes.io/${condition}`,
        operator: "Exists",
        effect: "NoExecute",
        tolerationSeconds: 300,
      })),
    );
  });
});
