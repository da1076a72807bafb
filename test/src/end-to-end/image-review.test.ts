import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createHttpClient, type HttpClient } from "@gatehouse/component-base/http-client";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import type { ControlPlane } from "@gatehouse/testing";
import {
  createHookPki,
  type HookPki,
  type HookServer,
  imageReviewScript,
  startHookServer,
} from "../support/hook-server.js";
import { noPeer, type PeerServer, startPeerServer } from "../support/peer-server.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

// gatehouse-image-review behind two API servers at once: ours and a real kube-apiserver. Whatever one of them says of a
// pod, the other has to say as well.

const rules = (more = "") => `apiVersion: config.gatehouse.dev/v1alpha1
kind: ImageRules
default: Deny
rules:
- {name: no-latest, action: Deny, tags: [latest], reason: say which version}
- {name: own, action: Allow, registries: ["registry.example.com"]}
- {name: pinned, action: Allow, registries: ["mirror.example.com"], requireDigest: true}
${more}exceptions:
- name: ticket
  reason: approved for a while
  expires: "2999-01-01T00:00:00Z"
  namespaces: [default]
  annotation: {key: x.image-policy.k8s.io/ticket, value: T-1}
`;

const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules: [{level: Metadata, resources: [{group: "", resources: [pods, pods/ephemeralcontainers]}], namespaces: [default]}]
`;

const signal = new AbortController().signal;
let folder: string;
let pki: HookPki;
let review: HookServer;
let ours: ControlPlane;
let peer: PeerServer | undefined;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-image-review-"));
  pki = await createHookPki(folder);
  await writeFile(join(folder, "rules.yaml"), rules());
  await writeFile(join(folder, "audit.yaml"), auditPolicy);
  review = await startHookServer([`--config=${join(folder, "rules.yaml")}`, ...pki.servingFlags], imageReviewScript);
  const hooks = join(folder, "hooks");
  await writeFile(
    join(hooks, "review.kubeconfig"),
    JSON.stringify({
      clusters: [{ name: "c", cluster: { server: `${review.url}/review`, "certificate-authority": "ca.crt" } }],
      users: [{ name: "u", user: { "client-certificate": "caller.crt", "client-key": "caller.key" } }],
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      "current-context": "c",
    }),
  );
  const imagePolicy = {
    kubeConfigFile: join(hooks, "review.kubeconfig"),
    allowTTL: -1,
    denyTTL: -1,
    retryBackoff: 20,
  };
  const plugins = [{ name: "ImagePolicyWebhook", configuration: { imagePolicy } }];
  const configuration = { apiVersion: "apiserver.config.k8s.io/v1", kind: "AdmissionConfiguration", plugins };
  await writeFile(join(folder, "admission.yaml"), JSON.stringify(configuration));
  const flags = [
    "--enable-admission-plugins=ImagePolicyWebhook",
    `--admission-control-config-file=${join(folder, "admission.yaml")}`,
  ];
  [ours, peer] = await Promise.all([
    startTestServer({ flags: [...flags, "--disable-admission-plugins=ServiceAccount"] }),
    noPeer === undefined
      ? startPeerServer([
          ...flags,
          `--audit-policy-file=${join(folder, "audit.yaml")}`,
          `--audit-log-path=${join(folder, "audit.log")}`,
        ])
      : undefined,
  ]);
});

after(async () => {
  await ours?.stop();
  await peer?.[Symbol.asyncDispose]();
  await review?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

type Answer = readonly [code: number, what: unknown];

/** Returns the answer of a server: the images of the pod, or the refusal. */
async function send(client: HttpClient, method: string, path: string, object: object): Promise<Answer> {
  const { status, body } = await client.requestJson({
    method,
    path: `/api/v1/namespaces/default/pods${path}`,
    headers: method === "PATCH" ? { "content-type": "application/strategic-merge-patch+json" } : {},
    body: object,
    signal,
    timeoutMs: 30_000,
  });
  const { reason, message, spec } = body as {
    readonly reason?: string;
    readonly message?: string;
    readonly spec?: { readonly containers: readonly { readonly image: string }[] };
  };
  return status < 300 ? [status, spec?.containers.map(({ image }) => image)] : [status, `${reason}: ${message}`];
}

/** Sends a request to both servers; asserts that their answers are equal. */
async function sendToBoth(method: string, path: string, object: object): Promise<Answer> {
  const [left, right] = await Promise.all([
    send(ours.client, method, path, object),
    peer === undefined ? undefined : send(peer.client, method, path, object),
  ]);
  if (right !== undefined) {
    assert.deepEqual(left, right);
  }
  return left;
}

const pod = (name: string, image: string, metadata: object = {}, spec: object = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, ...metadata },
  spec: { containers: [{ name: "app", image }], ...spec },
});
const refused = (name: string, why: string): Answer => [
  403,
  `Forbidden: pods "${name}" is forbidden: image policy webhook backend denied one or more images: ${why}`,
];
const digest = `sha256:${"0a".repeat(32)}`;

describe("Image review behind API servers", () => {
  test("lets pods in or not as its rules say, naming the rule", async () => {
    const rows: readonly [string, string, Answer][] = [
      ["own", "registry.example.com/app:1", [201, ["registry.example.com/app:1"]]],
      [
        "latest",
        "registry.example.com/app",
        refused("latest", '"registry.example.com/app" is denied by rule "no-latest": say which version'),
      ],
      ["unknown", "nginx:1", refused("unknown", '"nginx:1" is denied: no rule fits it')],
      [
        "moving",
        "mirror.example.com/a:1",
        refused("moving", '"mirror.example.com/a:1" is denied by rule "pinned", which requires a digest'),
      ],
      ["pinned", `mirror.example.com/a@${digest}`, [201, [`mirror.example.com/a@${digest}`]]],
    ];
    for (const [name, image, expected] of rows) {
      assert.deepEqual(await sendToBoth("POST", "", pod(name, image)), expected);
    }
  });

  test("sees init containers, changed images and containers that are added to a running pod", async () => {
    const initContainers = [{ name: "init", image: "busybox:1" }];
    const why = '"busybox:1" is denied: no rule fits it';
    assert.deepEqual(
      await sendToBoth("POST", "", pod("init", "registry.example.com/app:1", {}, { initContainers })),
      refused("init", why),
    );
    const images = (image: string) => ({ spec: { containers: [{ name: "app", image }] } });
    assert.deepEqual(await sendToBoth("PATCH", "/own", images("busybox:1")), refused("own", why));
    assert.deepEqual(await sendToBoth("PATCH", "/own", images("registry.example.com/app:2")), [
      200,
      ["registry.example.com/app:2"],
    ]);
    const ephemeral = (image: string) => ({ spec: { ephemeralContainers: [{ name: "debug", image }] } });
    assert.deepEqual(
      await sendToBoth("PATCH", "/own/ephemeralcontainers", ephemeral("busybox:1")),
      refused("own", why),
    );
    assert.equal(
      (await sendToBoth("PATCH", "/own/ephemeralcontainers", ephemeral("registry.example.com/debug:1")))[0],
      200,
    );
  });

  test("makes the exceptions that it is told to make", async () => {
    const annotations = { "x.image-policy.k8s.io/ticket": "T-1" };
    assert.deepEqual(await sendToBoth("POST", "", pod("excepted", "nginx:1", { annotations })), [201, ["nginx:1"]]);
  });

  test("tells the audit log which rule has decided", { skip: noPeer ?? false }, async () => {
    const events = (await readFile(join(folder, "audit.log"), "utf8")).trim().split("\n");
    const noted = events.map((line) => {
      const { objectRef, annotations = {} } = JSON.parse(line) as {
        readonly objectRef: { readonly name?: string };
        readonly annotations?: Readonly<Record<string, string>>;
      };
      return `${objectRef.name} ${annotations["imagepolicywebhook.image-policy.k8s.io/rule"]}`;
    });
    assert.deepEqual(noted.slice(0, 5), [
      "own own",
      "latest no-latest",
      "unknown default",
      "moving pinned",
      "pinned pinned",
    ]);
    assert.equal(noted.at(-1), "excepted ticket");
  });

  test("follows its rules as they are replaced", async () => {
    await writeFile(
      join(folder, "rules.yaml"),
      rules('- {name: now-nginx, action: Allow, repositories: ["library/nginx"]}\n'),
    );
    await until("the new rules are in force", () => review.command.stderr().includes("image rules reloaded"));
    assert.deepEqual(await sendToBoth("POST", "", pod("later", "nginx:1")), [201, ["nginx:1"]]);
  });

  test("talks about images to nobody whom it does not know, but tells anybody whether it lives", async () => {
    const config = await loadKubeconfig(join(folder, "hooks", "review.kubeconfig"));
    const { clientCertificate, clientCertificateFiles, ...anonymous } = config;
    using stranger = createHttpClient({ config: { ...anonymous, server: new URL(review.url) } });
    const asked = { signal, timeoutMs: 10_000 };
    const answer = await stranger.requestJson({ ...asked, method: "POST", path: "/review", body: {} });
    assert.equal(answer.status, 401);
    assert.equal((await stranger.request({ ...asked, path: "/livez" })).body.toString(), "ok");
    assert.equal((await stranger.request({ ...asked, path: "/readyz" })).body.toString(), "ok");
    assert.equal((await stranger.request({ ...asked, path: "/metrics" })).status, 401);
    using known = createHttpClient({ config: { ...config, server: new URL(review.url) } });
    const metrics = (await known.request({ ...asked, path: "/metrics" })).body.toString();
    assert.match(metrics, /^gatehouse_webhook_reviews_total\{hook="image-review",outcome="denied"\} \d+$/m);
  });

  test("ends on SIGTERM, after which pods are refused", async () => {
    assert.equal((await review.command.stop()).code, 0);
    const [code, message] = await sendToBoth("POST", "", pod("nobody", "registry.example.com/app:1"));
    assert.equal(code, 403);
    assert.match(
      String(message),
      /^Forbidden: pods "nobody" is forbidden: Post ".*\/review\?timeout=30s": dial tcp .*: connect: connection refused$/,
    );
  });
});
