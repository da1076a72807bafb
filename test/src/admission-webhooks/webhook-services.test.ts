import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { after, before, test } from "node:test";
import { type CertificateAndKey, issueCertificate } from "@gatehouse/component-base/pki";
import type { ControlPlane } from "@gatehouse/testing";
import { withoutAdmission } from "../support/admission-flags.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

// Webhooks that are reached through a Service. Cluster addresses are of this machine, so that something can listen there.

const serviceRange = "127.77.0.0/24";
/** An address of this machine that endpoints may have: loopback ones are refused. */
const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

let server: ControlPlane;
let hook: Server;
let hookPort: number;
/** Received calls, each with the name for which the certificate was requested. */
let calls: string[] = [];
const signal = new AbortController().signal;

before(async () => {
  // The policies of namespaces and pods are of no interest here.
  server = await startTestServer({ flags: [withoutAdmission, `--service-cluster-ip-range=${serviceRange}`] });
  const { certificatePem, keyPem } = await certificateFor(server.certificates.authority);
  hook = createServer({ cert: certificatePem, key: keyPem }, (request, response) => {
    const socket = request.socket as typeof request.socket & { readonly servername?: string };
    calls.push(`${socket.servername} at ${socket.localAddress}${request.url}`);
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    request.on("end", () => {
      const { apiVersion, request: asked } = JSON.parse(text);
      const status = { code: 403, message: "asked" };
      const answer = { apiVersion, kind: "AdmissionReview", response: { uid: asked.uid, allowed: false, status } };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  hook.listen(0, "0.0.0.0");
  await once(hook, "listening");
  hookPort = (hook.address() as AddressInfo).port;
});

after(async () => {
  hook?.close();
  hook?.closeAllConnections();
  await server?.stop();
});

/** One certificate for the services of all tests. */
function certificateFor(issuer: CertificateAndKey): Promise<CertificateAndKey> {
  const names = ["cluster-ip", "slices", "endpoints"];
  return issueCertificate({
    subject: {
      kind: "server",
      commonName: "hook",
      dnsNames: names.map((name) => `${name}.default.svc`),
      ipAddresses: [],
    },
    issuer,
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
  });
}

async function send(method: string, path: string, body?: object) {
  const answer = await server.client.requestJson({ method, path, body, signal, timeoutMs: 30_000 });
  return { code: answer.status, body: answer.body as { readonly message?: string } };
}

async function make(path: string, body: object): Promise<void> {
  const { code, body: made } = await send("POST", path, body);
  assert.equal(code, 201, made.message);
}

const service = (name: string, clusterIP: string, port: number) =>
  make("/api/v1/namespaces/default/services", {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name },
    spec: { clusterIP, ports: [{ name: "https", port }] },
  });

/** Returns the message for a write that calls one webhook. */
async function messageThrough(reference: { name: string; port?: number; path?: string }): Promise<string> {
  const configurations = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  await make(configurations, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: reference.name },
    webhooks: [
      {
        name: "v.example.com",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        clientConfig: {
          service: { namespace: "default", ...reference },
          caBundle: Buffer.from(server.certificates.authority.certificatePem).toString("base64"),
        },
        rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
      },
    ],
  });
  calls = [];
  const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
  try {
    return await until("the webhook is asked", async () => {
      const { code, body } = await send("POST", "/api/v1/namespaces/default/configmaps?dryRun=All", configMap);
      return code !== 201 && body.message;
    });
  } finally {
    await send("DELETE", `${configurations}/${reference.name}`);
  }
}

const denial = 'admission webhook "v.example.com" denied the request: asked';

test("a service is dialled at its cluster address, and its certificate is for the name of the service", async () => {
  await service("cluster-ip", "127.77.0.10", hookPort);
  assert.equal(await messageThrough({ name: "cluster-ip", port: hookPort, path: "/hook" }), denial);
  assert.deepEqual(calls, ["cluster-ip.default.svc at 127.77.0.10/hook?timeout=10s"]);
});

test("where nothing answers at the cluster address, the ready endpoints of its slices are dialled", {
  skip: ownAddress === undefined && "this machine has no address but loopback ones",
}, async () => {
  await service("slices", "127.77.0.11", 443);
  await make("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name: "slices-1", labels: { "kubernetes.io/service-name": "slices" } },
    addressType: "IPv4",
    endpoints: [
      { addresses: ["192.0.2.1"], conditions: { ready: false } },
      { addresses: [ownAddress], conditions: { ready: true } },
    ],
    ports: [{ name: "https", port: hookPort }],
  });
  assert.equal(await messageThrough({ name: "slices" }), denial);
  assert.deepEqual(calls, [`slices.default.svc at ${ownAddress}/?timeout=10s`]);
});

test("where there are no slices, the addresses of its Endpoints are", {
  skip: ownAddress === undefined && "this machine has no address but loopback ones",
}, async () => {
  await service("endpoints", "127.77.0.12", 443);
  await make("/api/v1/namespaces/default/endpoints", {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: { name: "endpoints" },
    subsets: [
      {
        addresses: [{ ip: ownAddress }],
        notReadyAddresses: [{ ip: "192.0.2.1" }],
        ports: [{ name: "https", port: hookPort }],
      },
    ],
  });
  assert.equal(await messageThrough({ name: "endpoints" }), denial);
  assert.deepEqual(calls, [`endpoints.default.svc at ${ownAddress}/?timeout=10s`]);
});

const failing = 'Internal error occurred: failed calling webhook "v.example.com": failed to call webhook: ';

test("what is not there, or has no such port, is a failure that says so", async () => {
  assert.equal(
    await messageThrough({ name: "missing" }),
    `${failing}Post "https://missing.default.svc:443/?timeout=10s": service "missing" not found`,
  );
  assert.equal(
    await messageThrough({ name: "cluster-ip", port: 444 }),
    `${failing}Post "https://cluster-ip.default.svc:444/?timeout=10s": no service port 444 found for service "cluster-ip"`,
  );
});

test("default/kubernetes:443 is the server itself, wherever it listens", async () => {
  // A stranger to it, as no credentials for webhooks are configured.
  assert.equal(await messageThrough({ name: "kubernetes", path: "/hook" }), `${failing}Unauthorized`);
  assert.deepEqual(calls, []);
});
