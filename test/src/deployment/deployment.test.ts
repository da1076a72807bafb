import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "node:tls";
import { promisify } from "node:util";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import { type ClientConfig, loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { issueCertificate } from "@gatehouse/component-base/pki";
import { encodeYaml } from "@gatehouse/envelopes/codec";
import { admissionScript } from "../support/hook-server.js";
import { startTestIssuer, type TestIssuer } from "../support/test-issuer.js";
import { until } from "../support/until.js";
import { type ServiceName, serviceNames, statefulServices } from "./deployment-files.js";
import { prepareDeployment, type RehomedDeployment } from "./rehomed-deployment.js";

// All processes as docs/guides/deploy.md starts them on one machine: the command lines of the units, which are those of the
// images, with paths below a temporary folder and free ports.

const run = promisify(execFile);
let deployment: RehomedDeployment;
let issuer: TestIssuer;
let filesBefore: readonly string[];
let jane: string;

before(async () => {
  deployment = await prepareDeployment();
  // Any certificate of the processes' authority will do for an issuer that only the token review server talks to.
  issuer = await startTestIssuer({
    certFile: pkiFile("token-review", "tls.crt"),
    keyFile: pkiFile("token-review", "tls.key"),
  });
  await deployment.write("etc/gatehouse/token-review/token-review.yaml", encodeYaml(tokenReviewConfiguration()));
  jane = await issuer.sign({ aud: "gatehouse", groups: ["developers"], exp: Math.floor(Date.now() / 1000) + 86_400 });
  filesBefore = await deployment.files();
  // The API server first: it needs none of the others to start, nor to be ready.
  for (const name of serviceNames) {
    await deployment.start(name);
  }
  const superAdmin = await administrator("super-admin");
  const binding = {
    metadata: { name: "gatehouse:cluster-admins" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "gatehouse:cluster-admins" }],
  };
  assert.equal(
    (await send(superAdmin, "POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", binding))[0],
    201,
  );
  await run(process.execPath, [
    admissionScript,
    "register",
    `--config=${deployment.rehome("/etc/gatehouse/admission/hooks.yaml")}`,
    `--url=https://127.0.0.1:${deployment.ports.admission}`,
    `--ca-file=${pkiFile("authorities", "processes-ca.crt")}`,
    `--kubeconfig=${pkiFile("administrator", "admin.kubeconfig")}`,
    "--apply",
  ]);
});

after(async () => {
  issuer?.[Symbol.dispose]();
  await deployment?.[Symbol.asyncDispose]();
});

const tokenReviewConfiguration = () => ({
  apiVersion: "config.gatehouse.dev/v1alpha1",
  kind: "TokenReviewConfiguration",
  audiences: ["https://kubernetes.default.svc"],
  issuers: [
    {
      url: issuer.url,
      audiences: ["gatehouse"],
      algorithms: ["ES256"],
      certificateAuthority: deployment.rehome("/run/gatehouse-token-review/processes-ca.crt"),
      claimMappings: { username: { claim: "sub", prefix: "corp:" }, groups: { claim: "groups", prefix: "corp:" } },
    },
  ],
});

const pkiFile = (holder: string, name: string): string =>
  join(deployment.root, "etc", "gatehouse", "pki", holder, name);
const administrator = (name = "admin"): Promise<ClientConfig> =>
  loadKubeconfig(pkiFile("administrator", `${name}.kubeconfig`));

/** Returns the client configuration of an anonymous caller for the port of a process. */
async function stranger(name: ServiceName): Promise<ClientConfig> {
  const { clientCertificate, ...anybody } = await administrator();
  return { ...anybody, server: new URL(`https://127.0.0.1:${deployment.ports[name]}`) };
}

async function withToken(token: string): Promise<ClientConfig> {
  return { ...(await stranger("apiserver")), authorization: { kind: "token", token } };
}

/** The holder of a certificate of the PKI, at the port of a process. */
async function withCertificate(holder: string, certificate: string, name: ServiceName): Promise<ClientConfig> {
  const [certificatePem, keyPem] = await Promise.all(
    ["crt", "key"].map((ending) => readFile(pkiFile(holder, `${certificate}.${ending}`), "utf8")),
  );
  return {
    ...(await stranger(name)),
    clientCertificate: { certificatePem: certificatePem ?? "", keyPem: keyPem ?? "" },
  };
}

type Answer = readonly [code: number, body: Readonly<Record<string, unknown>>];

async function send(config: ClientConfig, method: string, path: string, body?: object): Promise<Answer> {
  using client = createHttpClient({ config });
  const { status, body: answer } = await client.requestJson({
    method,
    path,
    ...(body === undefined ? {} : { body }),
    signal: new AbortController().signal,
    timeoutMs: 60_000,
  });
  return [status, answer as Readonly<Record<string, unknown>>];
}

/** The serial number of the certificate that each process shows. */
function servedCertificates(): Promise<string[]> {
  const shownAt = async (port: number): Promise<string> => {
    // The one that it shows is looked at, not believed.
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
    try {
      await once(socket, "secureConnect");
      return socket.getPeerCertificate().serialNumber;
    } finally {
      socket.destroy();
    }
  };
  return Promise.all(serviceNames.map((name) => shownAt(deployment.ports[name])));
}

const messageOf = ([code, { message }]: Answer) => [code, message];
const configMaps = "/api/v1/namespaces/default/configmaps";
const pods = "/api/v1/namespaces/default/pods";
const configMap = (name: string) => ({ metadata: { name }, data: { made: "by hand" } });
const pod = (name: string, image: string, annotations = {}) => ({
  metadata: { name, annotations },
  spec: { containers: [{ name: "c", image }] },
});

/** Checks that all processes work together. `round` keeps the objects of one call from those of another. */
async function checkThatAllWorkTogether(round: string): Promise<void> {
  const user = await withToken(jane);
  const [, whoAmI] = await send(user, "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {
    apiVersion: "authentication.k8s.io/v1",
    kind: "SelfSubjectReview",
  });
  assert.deepEqual(whoAmI["status"], {
    userInfo: { username: "corp:jane", groups: ["corp:developers", "system:authenticated"] },
  });
  // Whom the token review server does not know is nobody.
  assert.deepEqual(messageOf(await send(await withToken("stranger"), "GET", configMaps)), [401, "Unauthorized"]);
  // What the authorization server allows is allowed, though no role in the cluster does; what it denies is denied to all.
  assert.equal((await send(user, "POST", configMaps, configMap(`of-jane-${round}`)))[0], 201);
  assert.deepEqual(messageOf(await send(user, "GET", "/api/v1/namespaces/default/secrets")), [
    403,
    'secrets is forbidden: User "corp:jane" cannot list resource "secrets" in API group "" in the namespace "default"',
  ]);
  const admin = await administrator();
  assert.deepEqual(
    messageOf(await send(admin, "POST", "/api/v1/namespaces/prod-1/pods/p/exec?command=sh&stdout=true")),
    [
      403,
      'pods "p" is forbidden: User "kubernetes-admin" cannot create resource "pods/exec" in API group "" in the namespace "prod-1": denied by "no-exec-in-production": look at the logs, or ask whoever is on call',
    ],
  );
  // Hooks refuse and change, and images are refused.
  assert.deepEqual(messageOf(await send(admin, "POST", pods, pod("latest", "nginx:latest"))), [
    403,
    'admission webhook "no-latest-tag.hooks.gatehouse.dev" denied the request: spec.containers[0].image: "nginx:latest" must say which version it is, by a tag other than latest',
  ]);
  const wanted = { "sidecar.gatehouse.dev/inject": "true" };
  const [code, made] = await send(admin, "POST", pods, pod(`helped-${round}`, "nginx:1.27", wanted));
  const { containers } = made["spec"] as { readonly containers: readonly { readonly name: string }[] };
  assert.deepEqual([code, containers.map(({ name }) => name)], [201, ["c", "log-shipper"]]);
  assert.deepEqual(messageOf(await send(admin, "POST", pods, pod("miner", "example.com/cryptominer:1.0"))), [
    403,
    'pods "miner" is forbidden: image policy webhook backend denied one or more images: "example.com/cryptominer:1.0" is denied by rule "known-bad": nobody here needs it',
  ]);
  // And all of it is on record.
  await until("the sink has the events", async () => (await eventsOf(`of-jane-${round}`)).length > 0);
}

/** Returns the audit events of a ConfigMap, read with the auditors' kubeconfig. */
async function eventsOf(name: string): Promise<readonly (readonly [user: string, verb: string])[]> {
  const [code, { items }] = await send(await auditor(), "GET", `/api/events?resource=configmaps&name=${name}`);
  assert.equal(code, 200);
  type Item = { readonly event: { readonly user: { readonly username: string }; readonly verb: string } };
  return (items as readonly Item[]).map(({ event }) => [event.user.username, event.verb]);
}

const auditor = (): Promise<ClientConfig> => loadKubeconfig(pkiFile("audit-reader", "audit.kubeconfig"));

describe("A deployment", () => {
  test("works together over HTTPS", () => checkThatAllWorkTogether("first"));

  test("lets each certificate do what it is for, and nothing else", async () => {
    const clusterAuthority = {
      certificatePem: await readFile(pkiFile("apiserver", "cluster-ca.crt"), "utf8"),
      keyPem: await readFile(pkiFile("apiserver", "cluster-ca.key"), "utf8"),
    };
    // What somebody could have signed by the API server, through a request for a certificate.
    const impostor = (user: string) =>
      issueCertificate({
        subject: { kind: "client", user, groups: [] },
        issuer: clusterAuthority,
        notBefore: new Date(Date.now() - 60_000),
        notAfter: new Date(Date.now() + 3_600_000),
      });
    const ask = async (config: ClientConfig, method: string, path: string): Promise<number | string> => {
      const body = method === "POST" ? {} : undefined;
      return await send(config, method, path, body).then(
        ([code]) => code,
        (error: Error) => error.name,
      );
    };
    const holders: readonly (readonly [string, (at: ServiceName) => Promise<ClientConfig>])[] = [
      ["nobody", stranger],
      ["administrator", (at) => withCertificate("administrator", "admin", at)],
      ["webhook caller", (at) => withCertificate("apiserver", "webhook-caller", at)],
      ["audit sender", (at) => withCertificate("apiserver", "audit-sender", at)],
      ["audit reader", (at) => withCertificate("audit-reader", "audit-reader", at)],
      ["sink, by its serving certificate", (at) => withCertificate("audit-sink", "tls", at)],
      [
        "impostor of the webhook caller",
        async (at) => ({
          ...(await stranger(at)),
          clientCertificate: await impostor("gatehouse-apiserver-webhook-caller"),
        }),
      ],
      [
        "impostor of the audit sender",
        async (at) => ({ ...(await stranger(at)), clientCertificate: await impostor("gatehouse-apiserver-audit") }),
      ],
    ];
    const calls: readonly (readonly [ServiceName, string, string])[] = [
      ["apiserver", "GET", "/api/v1/namespaces/kube-system/secrets"],
      ["admission", "POST", "/validating/no-latest-tag.hooks.gatehouse.dev"],
      ["image-review", "POST", "/review"],
      ["authorization", "POST", "/authorize"],
      ["token-review", "POST", "/token-review"],
      ["audit-sink", "POST", "/audit"],
      ["audit-sink", "GET", "/api/events"],
    ];
    const found: Record<string, readonly (number | string)[]> = {};
    for (const [holder, configAt] of holders) {
      found[holder] = await Promise.all(calls.map(async ([at, method, path]) => ask(await configAt(at), method, path)));
    }
    // 400: the caller is known, and what it sends is no review and no list of events. 403: it is known for something else.
    assert.deepEqual(found, {
      nobody: [403, 401, 401, 401, 401, 401, 401],
      administrator: [200, 401, 401, 401, 401, 401, 401],
      "webhook caller": [401, 400, 400, 400, 400, 401, 401],
      "audit sender": [401, 401, 401, 401, 401, 400, 403],
      "audit reader": [401, 401, 401, 401, 401, 403, 200],
      "sink, by its serving certificate": [401, 401, 401, 401, 401, 401, 401],
      "impostor of the webhook caller": [403, 401, 401, 401, 401, 401, 401],
      "impostor of the audit sender": [403, 401, 401, 401, 401, 401, 401],
    });
  });

  test("keeps everything when each process is killed and started again", async () => {
    for (const name of serviceNames) {
      assert.deepEqual(await deployment.stop(name, "SIGKILL"), { code: null, signal: "SIGKILL" });
      await deployment.start(name);
    }
    const [code, { data }] = await send(await administrator(), "GET", `${configMaps}/of-jane-first`);
    assert.deepEqual([code, data], [200, { made: "by hand" }]);
    assert.deepEqual(
      (await eventsOf("of-jane-first")).filter(([, verb]) => verb === "create"),
      [["corp:jane", "create"]],
    );
    await checkThatAllWorkTogether("second");
  });

  test("sends what was done while the sink was away, once it is back", async () => {
    assert.deepEqual(await deployment.stop("audit-sink", "SIGTERM"), { code: 0, signal: null });
    assert.equal((await send(await withToken(jane), "POST", configMaps, configMap("meanwhile")))[0], 201);
    await deployment.start("audit-sink");
    await until("the sink has the event", async () => (await eventsOf("meanwhile")).length > 0);
  });

  test("serves with renewed certificates once units are reloaded, and cuts nobody off", async () => {
    const before = await servedCertificates();
    await deployment.renewCertificates();
    const codes: number[] = [];
    let reloaded = false;
    const asking = (async () => {
      while (!reloaded) {
        codes.push((await send(await withToken(jane), "POST", configMaps, configMap(`renewed-${codes.length}`)))[0]);
        await sleep(50);
      }
    })();
    try {
      for (const name of serviceNames) {
        await deployment.reload(name);
      }
      await until("each process serves with a new certificate", async () => {
        await sleep(200);
        const now = await servedCertificates();
        return now.every((serialNumber, index) => serialNumber !== before[index]);
      });
    } finally {
      reloaded = true;
      await asking;
    }
    assert.deepEqual([...new Set(codes)], [201]);
    await checkThatAllWorkTogether("renewed");
  });

  test("writes to its state directories and nowhere else, and no token or key into a log", async () => {
    const states = statefulServices.map((name) => `/var/lib/gatehouse-${name}/`);
    const credentials = /^\/run\/gatehouse-/;
    const strays = (await deployment.files()).filter(
      (file) =>
        !filesBefore.includes(file) && !credentials.test(file) && !states.some((state) => file.startsWith(state)),
    );
    assert.deepEqual(strays, []);
    for (const name of serviceNames) {
      assert.doesNotMatch(deployment.logOf(name), /ey[A-Za-z0-9_-]{20}|PRIVATE KEY/, name);
    }
  });

  test("ends, each with 0, on SIGTERM", async () => {
    for (const name of serviceNames) {
      assert.deepEqual([name, await deployment.stop(name, "SIGTERM")], [name, { code: 0, signal: null }]);
    }
  });
});
