// Answers asked of v1.29, which had the same peers behind it.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { connect, type TLSSocket } from "node:tls";
import { type CertificateAndKey, issueCertificate } from "@gatehouse/component-base/pki";
import type { ControlPlane } from "@gatehouse/testing";
import { WebSocket } from "ws";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { assertCode } from "../spec/support/assert-status.js";
import { startTestServer } from "../support/start-test-server.js";
import { type ClusterPeers, kubeletPort, startClusterPeers } from "./cluster-peers.js";
import { kubeletFlags } from "./server-with-node.js";

const dayMs = 24 * 60 * 60 * 1000;
const pods = "/api/v1/namespaces/default/pods";
const services = "/api/v1/namespaces/default/services";
const webSockets = "base64url.bearer.authorization.k8s.io.c2VjcmV0, v4.channel.k8s.io";

let server: ControlPlane;
let client: ApiClient;
let peers: ClusterPeers;
let auditFile: string;

before(async () => {
  server = await startTestServer({
    flags: ["--controllers=*,-serviceaccount-controller", "--disable-admission-plugins=ServiceAccount"],
    flagsFor: async (certificates) => {
      const folder = dirname(certificates.caFile);
      peers = await startClusterPeers(await kubeletCertificate(certificates.authority));
      const egress = join(folder, "egress.yaml");
      await writeFile(egress, egressConfiguration(peers.proxyUrl));
      const policy = join(folder, "policy.yaml");
      await writeFile(policy, auditPolicy);
      auditFile = join(folder, "audit.log");
      return [
        ...kubeletFlags(certificates),
        `--egress-selector-config-file=${egress}`,
        `--audit-policy-file=${policy}`,
        `--audit-log-path=${auditFile}`,
      ];
    },
  });
  client = createApiClient(server.clientConfig);
  await createNode("here", [{ type: "InternalIP", address: "127.0.0.1" }]);
  await createNode("there", [
    { type: "ExternalIP", address: "10.9.0.2" },
    { type: "InternalIP", address: "10.9.0.1" },
  ]);
  await createNode("odd", [{ type: "Other", address: "10.9.0.3" }]);
  await createPod("web", { nodeName: "here" }, "10.8.0.1");
  await createPod("other", { nodeName: "here" }, "127.0.0.1");
  await createPod("several", { nodeName: "here", containers: [container("a"), container("b")] }, "10.8.0.2");
  const ports = [
    { name: "web", port: 80 },
    { name: "tls", port: 443 },
  ];
  assertCode(await client.post(services, { metadata: { name: "web" }, spec: { ports } }), 201);
  const targetRef = { kind: "Pod", namespace: "default", name: "web" };
  const endpoints = [
    ["web", { ip: "10.8.0.1", targetRef }],
    ["stray", { ip: "10.8.0.9", targetRef }],
  ] as const;
  for (const [name, address] of endpoints) {
    const subsets = [{ addresses: [address], ports: [{ name: "web", port: 8080 }] }];
    assertCode(await client.post("/api/v1/namespaces/default/endpoints", { metadata: { name }, subsets }), 201);
  }
});

after(async () => {
  client?.[Symbol.dispose]();
  await server?.stop();
  await peers?.[Symbol.asyncDispose]();
});

afterEach(() => {
  peers.answer = undefined;
});

describe("The log of a pod", () => {
  for (const [query, sent] of [
    ["", ""],
    ["?follow=1&previous=yes&timestamps=true&pretty=true&unknown=x", "?follow=true&previous=true&timestamps=true"],
    ["?follow=0&previous=FALSE", ""],
    ["?tailLines=0&limitBytes=7&sinceSeconds=3", "?limitBytes=7&sinceSeconds=3&tailLines=0"],
    ["?sinceTime=2020-01-02T03:04:05.678%2B02:00", "?sinceTime=2020-01-02T01%3A04%3A05Z"],
    ["?sinceTime=", "?sinceTime=0001-01-01T00%3A00%3A00Z"],
  ] as const) {
    it(`is asked of its kubelet with the options ${query || "that it has by default"}`, async () => {
      const answer = await client.get(`${pods}/web/log${query}`);
      assert.deepEqual([answer.status, answer.headers["content-type"]], [200, "text/plain"]);
      assert.deepEqual(
        [answer.document["method"], answer.document["url"], answer.document["caller"]],
        ["GET", `/containerLogs/default/web/c${sent}`, "kube-apiserver-kubelet-client"],
      );
    });
  }

  it("comes piece by piece as the kubelet sends it", async () => {
    let write = (_piece: string): void => {};
    let end = (): void => {};
    peers.answer = (_request, response) => {
      write = (piece) => void response.write(piece);
      end = () => void response.end();
      write("first\n");
    };
    const socket = await open(`GET ${pods}/web/log?follow=true HTTP/1.1`);
    assert.match(await readUntil(socket, "first\n"), /\r\nContent-Type: text\/plain\r\n/);
    write("second\n");
    await readUntil(socket, "second\n");
    end();
    await readUntil(socket, "0\r\n\r\n");
    socket.destroy();
  });

  it("ends at the kubelet when its client goes away", async () => {
    let closed: Promise<unknown> | undefined;
    peers.answer = (_request, response) => {
      closed = once(response, "close");
      response.write("first\n");
    };
    const socket = await open(`GET ${pods}/web/log?follow=true HTTP/1.1`);
    await readUntil(socket, "first\n");
    socket.destroy();
    await closed;
  });

  it("is broken off when the kubelet breaks it off", async () => {
    peers.answer = (request, response) => {
      response.write("first\n");
      setImmediate(() => request.socket.destroy());
    };
    await assert.rejects(client.get(`${pods}/web/log`));
  });

  for (const [code, status, reason, message] of [
    [400, 400, "BadRequest", "said"],
    [403, 403, "Forbidden", "said ( pods/log web)"],
    [404, 404, "NotFound", "the server could not find the requested resource ( pods/log web)"],
    [500, 500, "InternalError", "Internal error occurred: said"],
    [
      502,
      502,
      "InternalError",
      'an error on the server ("said") has prevented the request from succeeding ( pods/log web)',
    ],
  ] as const) {
    it(`is refused with ${status} where the kubelet answers ${code}`, async () => {
      peers.answer = (_request, response) => void response.writeHead(code).end("said");
      const { document } = await client.get(`${pods}/web/log`);
      assert.deepEqual([document["code"], document["reason"], document["message"]], [status, reason, message]);
    });
  }

  for (const [protocols, isBinary, decode] of [
    [[], true, (message: Buffer) => message],
    [["binary.k8s.io"], true, (message: Buffer) => message],
    [["chat", "base64.binary.k8s.io"], false, (message: Buffer) => Buffer.from(message.toString(), "base64")],
  ] as const) {
    it(`comes in messages on a WebSocket with ${protocols.join(" or ") || "no subprotocol"}`, async () => {
      const log = "line\n".repeat(1000);
      peers.answer = (_request, response) => void response.end(log);
      const socket = webSocketTo(`${pods}/web/log`, protocols);
      const messages: Buffer[] = [];
      socket.on("message", (message: Buffer, binary: boolean) => {
        assert.equal(binary, isBinary);
        messages.push(message);
      });
      const [code] = await once(socket, "close");
      assert.deepEqual([code, socket.protocol], [1000, protocols.at(-1) ?? ""]);
      assert.equal(messages[0]?.length, 0, "the first message is empty");
      assert.ok(messages.every((message) => decode(message).length <= 2048));
      assert.equal(Buffer.concat(messages.map(decode)).toString(), log);
    });
  }

  it("is refused to a WebSocket that wants another subprotocol", async () => {
    const [error] = await once(webSocketTo(`${pods}/web/log`, ["v4.channel.k8s.io"]), "error");
    assert.equal(error.message, "Unexpected server response: 403");
  });

  it("ends at the kubelet when its WebSocket is closed", async () => {
    let closed: Promise<unknown> | undefined;
    peers.answer = (_request, response) => {
      closed = once(response, "close");
      response.write("first\n");
    };
    const socket = webSocketTo(`${pods}/web/log?follow=true`, []);
    await once(socket, "message");
    socket.close();
    await closed;
  });

  for (const [accept, message] of [
    [
      "text/css",
      "406: Not Acceptable\n\nAvailable representations: text/plain, application/json, application/yaml, application/vnd.kubernetes.protobuf",
    ],
    [
      "text/plain",
      "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    ],
  ] as const) {
    it(`is refused to a client that takes nothing but ${accept}`, async () => {
      const { document } = await client.get(`${pods}/web/log`, { accept });
      assert.deepEqual([document["code"], document["message"]], [406, message]);
    });
  }

  it("follows no redirect of a kubelet", async () => {
    peers.answer = (_request, response) => void response.writeHead(302, { Location: "/there" }).end();
    const { status, document } = await client.get(`${pods}/web/log`);
    assert.deepEqual([status, document["message"]], [500, 'Get "/there": redirects forbidden']);
  });
});

describe("A connection to a container", () => {
  for (const [method, path, sent] of [
    [
      "GET",
      "exec?command=ls&command=-l%20x&stdin=true&tty=1",
      "/exec/default/web/c?command=ls&command=-l+x&input=1&tty=1",
    ],
    ["POST", "exec?stdout=yes&stderr=0&container=c", "/exec/default/web/c?output=1"],
    ["POST", "attach?stdout=true&stderr=true", "/attach/default/web/c?error=1&output=1"],
    ["GET", "portforward?ports=80&ports=81,82", "/portForward/default/web?port=80%2C81%2C82"],
    ["POST", "portforward", "/portForward/default/web"],
  ] as const) {
    it(`of ${method} ${path} goes to its kubelet, without the credentials of the client`, async () => {
      const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
      const own = "X-Forwarded-For: 203.0.113.7\r\nX-Remote-User: joe\r\nX-Remote-Extra-A: b\r\nCookie: a=b\r\n";
      const socket = await open(
        `${method} ${pods}/web/${path} HTTP/1.1`,
        `${upgrade}${own}Sec-WebSocket-Protocol: ${webSockets}\r\n`,
      );
      const text = await readUntil(socket, "}\n");
      assert.match(text, /^HTTP\/1\.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n\{/);
      const { url, headers, caller } = JSON.parse(text.slice(text.indexOf("{")));
      const { "content-length": length, ...others } = headers;
      assert.deepEqual(
        { url, caller, length, headers: others },
        {
          url: sent,
          caller: "kube-apiserver-kubelet-client",
          length: method === "POST" ? "0" : undefined,
          headers: {
            host: "api.example",
            upgrade: "websocket",
            "sec-websocket-version": "13",
            "sec-websocket-protocol": "v4.channel.k8s.io",
            "x-forwarded-for": "203.0.113.7, 127.0.0.1",
            cookie: "a=b",
          },
        },
      );
      socket.write("hello");
      assert.equal(await readUntil(socket, "HELLO"), "HELLO");
      socket.end();
      assert.equal(await readUntil(socket, "bye"), "bye");
    });
  }

  for (const [method, path, code, message] of [
    ["GET", "web/exec?command=ls", 400, "Upgrade request required"],
    ["POST", "several/attach", 400, "a container name must be specified for pod several, choose one of: [a b]"],
    ["POST", "web/exec?container=x", 400, "container x is not valid for pod web"],
    ["POST", "web/exec?dryRun=All", 400, "dryRun is not supported"],
    [
      "POST",
      "web/portforward?ports=x",
      400,
      'cannot convert to []int32: strconv.ParseUint: parsing "x": invalid syntax',
    ],
    [
      "POST",
      "web/portforward?ports=65536",
      400,
      'cannot convert to []int32: strconv.ParseUint: parsing "65536": value out of range',
    ],
    ["PUT", "web/exec", 405, "the server does not allow this method on the requested resource"],
    ["GET", "web/exec/x", 404, "the server could not find the requested resource"],
  ] as const) {
    it(`of ${method} ${path} is refused with ${code}`, async () => {
      const { status, document } = await client.request(method, `${pods}/${path}`);
      assert.deepEqual([status, document["message"]], [code, message]);
    });
  }

  it("leaves its stages in the audit log", async () => {
    const socket = await open(
      `GET ${pods}/web/exec?command=audited HTTP/1.1`,
      "Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\n",
    );
    await readUntil(socket, "}\n");
    assert.deepEqual(await auditedStages("command=audited"), ["RequestReceived", "ResponseStarted 101"]);
    socket.destroy();
    while ((await auditedStages("command=audited")).length < 3) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal((await auditedStages("command=audited")).at(-1), "ResponseComplete 101");
  });

  it("is counted by metrics as CONNECT while it lasts", async () => {
    const gauge =
      'apiserver_longrunning_requests{verb="CONNECT",group="",version="v1",resource="pods",subresource="attach",scope="resource",component="apiserver"}';
    const count = async (): Promise<string | undefined> =>
      (await client.get("/metrics")).text.split("\n").find((line) => line.startsWith(gauge));
    const socket = await open(`GET ${pods}/web/attach HTTP/1.1`, "Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\n");
    await readUntil(socket, "}\n");
    assert.equal(await count(), `${gauge} 1`);
    socket.destroy();
    while ((await count()) !== `${gauge} 0`) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
});

describe("A proxy", () => {
  const nodes = "/api/v1/nodes";
  for (const [path, target, url] of [
    [`${pods}/web/proxy/`, "10.8.0.1:8080", "/"],
    [`${pods}/web:81/proxy/a/b?x=y&x=z`, "10.8.0.1:81", "/a/b?x=y&x=z"],
    [`${pods}/http:web:82/proxy/a%2Fb%20c/?q=%20`, "10.8.0.1:82", "/a/b%20c/?q=%20"],
    [`${services}/web:web/proxy/a/../b`, "10.8.0.1:8080", "/b"],
    [`${services}/web:80/proxy/path?path=/other`, "10.8.0.1:8080", "/path?path=/other"],
    [`${nodes}/there/proxy/metrics`, `10.9.0.1:${kubeletPort}`, "/metrics"],
    [`${nodes}/there:${kubeletPort}/proxy/metrics`, `10.9.0.1:${kubeletPort}`, "/metrics"],
    [`${nodes}/http:there:83/proxy/metrics`, "10.9.0.1:83", "/metrics"],
  ] as const) {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"]) {
      it(`of ${method} ${path} leads to ${target}`, async () => {
        peers.targets.length = 0;
        const body = ["POST", "PUT", "PATCH"].includes(method) ? "sent" : undefined;
        const headers = { "X-Remote-User": "joe", "X-Forwarded-Proto": "ftp" };
        const answer = await client.request(method, path, { headers, ...(body === undefined ? {} : { body }) });
        assert.equal(answer.status, 200);
        // A connection may have been kept.
        assert.ok(
          peers.targets.every((found) => found === target),
          String(peers.targets),
        );
        if (method === "HEAD") {
          assert.equal(answer.text, "");
          return;
        }
        const { document } = answer;
        const seen = document["headers"] as Record<string, string>;
        const uri = path.split("?")[0]?.replace("/a/../", "/").replace("%2F", "/");
        assert.deepEqual([document["method"], document["url"], document["body"]], [method, url, body ?? ""]);
        assert.deepEqual(
          [seen["x-forwarded-for"], seen["x-forwarded-proto"], seen["x-remote-user"], seen["x-forwarded-uri"]],
          ["127.0.0.1", "ftp", undefined, path.includes("..") ? seen["x-forwarded-uri"] : uri],
        );
      });
    }
  }

  it("without a path answers GET and HEAD with the folder, so that links of pages lead on", async () => {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await client.request(method, `${pods}/web/proxy?a=b`);
      assert.deepEqual([status, headers.location], [301, `${pods}/web/proxy/?a=b`]);
    }
  });

  it("changes redirects and links of pages so that they lead through it, and removes CORS headers", async () => {
    const here = `${pods}/web/proxy`;
    for (const [location, changed] of [
      ["/there?a=b#c", `${here}/there?a=b#c`],
      ["http://10.8.0.1:8080/there", `${here}/there`],
      ["there/", "there/"],
      ["https://example.com/x", "https://example.com/x"],
    ] as const) {
      peers.answer = (_request, response) => void response.writeHead(302, { Location: location }).end();
      assert.equal((await client.get(`${here}/a`)).headers.location, changed);
    }
    peers.answer = (_request, response) => {
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Access-Control-Allow-Origin": "*" });
      for (const byte of Buffer.from(page("/"))) {
        response.write(Buffer.of(byte));
      }
      response.end();
    };
    const { text, headers } = await client.get(`${here}/a`);
    assert.equal(text, page(`${here}/`));
    assert.equal(headers["access-control-allow-origin"], undefined);
  });

  for (const [path, code, message] of [
    [`${pods}/other/proxy/`, 400, "address not allowed"],
    [`${nodes}/here/proxy/`, 400, "address not allowed"],
    [`${nodes}/odd/proxy/`, 500, "no preferred addresses found; known addresses: [{Other 10.9.0.3}]"],
    [`${nodes}/absent/proxy/`, 404, 'nodes "absent" not found'],
    [`${pods}/ftp:web:1/proxy/`, 400, 'invalid pod request "ftp:web:1"'],
    [`${services}/web/proxy/`, 503, 'no endpoints available for service "web"'],
    [`${services}/web:81/proxy/`, 503, 'no service port 81 found for service "web"'],
    [`${services}/stray:web/proxy/`, 503, 'no endpoints available for service "stray:web"'],
    [`${services}/absent/proxy/`, 404, 'services "absent" not found'],
  ] as const) {
    it(`of ${path} is refused with ${code}`, async () => {
      const { status, document } = await client.get(path);
      assert.deepEqual([status, document["message"]], [code, message]);
    });
  }

  it("fails with 503 when its backend closes the connection", async () => {
    peers.answer = (request) => request.socket.destroy();
    const { status, document } = await client.get(`${pods}/web/proxy/`);
    assert.deepEqual([status, document["message"]], [503, "error trying to reach service: EOF"]);
  });
});

it("Discovery lists everything that is passed on", async () => {
  const { resources } = (await client.get("/api/v1")).document as unknown as {
    resources: { name: string; kind: string; verbs: string[] }[];
  };
  const verbs = new Map(resources.map(({ name, kind, verbs: all }) => [name, `${kind} ${all.join()}`]));
  assert.deepEqual(
    ["pods/attach", "pods/exec", "pods/portforward", "pods/proxy", "services/proxy", "nodes/proxy"].map((name) =>
      verbs.get(name),
    ),
    [
      "PodAttachOptions create,get",
      "PodExecOptions create,get",
      "PodPortForwardOptions create,get",
      "PodProxyOptions create,delete,get,patch,update",
      "ServiceProxyOptions create,delete,get,patch,update",
      "NodeProxyOptions create,delete,get,patch,update",
    ],
  );
});

function container(name: string): object {
  return { name, image: "i" };
}

async function createNode(name: string, addresses: readonly object[]): Promise<void> {
  assertCode(await client.post("/api/v1/nodes", { metadata: { name } }), 201);
  const status = { addresses };
  assertCode(await client.patch(`/api/v1/nodes/${name}/status`, "application/merge-patch+json", { status }), 200);
}

async function createPod(name: string, spec: object, ip: string): Promise<void> {
  const containers = [{ ...container("c"), ports: [{ containerPort: 8080 }] }];
  assertCode(await client.post(pods, { metadata: { name }, spec: { containers, ...spec } }), 201);
  const status = { podIP: ip, podIPs: [{ ip }] };
  assertCode(await client.patch(`${pods}/${name}/status`, "application/merge-patch+json", { status }), 200);
}

async function open(line: string, headers = ""): Promise<TLSSocket> {
  const { certificatePem: cert, keyPem: key } = await server.certificates.clientCertificate("admin", [
    "system:masters",
  ]);
  const ca = server.certificates.authority.certificatePem;
  const socket = connect({ host: "127.0.0.1", port: server.port, ca, cert, key, ALPNProtocols: ["http/1.1"] });
  socket.allowHalfOpen = true;
  socket.on("error", () => {});
  socket.write(`${line}\r\nHost: api.example\r\n${headers}\r\n`);
  return socket;
}

function webSocketTo(path: string, protocols: readonly string[]): WebSocket {
  return new WebSocket(`wss://127.0.0.1:${server.port}${path}`, [...protocols], { ...server.tls });
}

/** Reads until the text has come; fails if the connection ends before. */
function readUntil(socket: TLSSocket, end: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const take = (piece: Buffer): void => {
      text += piece.toString();
      if (text.includes(end)) {
        socket.off("data", take).off("close", fail);
        socket.pause();
        resolve(text);
      }
    };
    const fail = (): void => reject(new Error(`the connection has ended after ${JSON.stringify(text)}`));
    socket.on("data", take).on("close", fail);
    socket.resume();
  });
}

async function auditedStages(query: string): Promise<string[]> {
  const lines = (await readFile(auditFile, "utf8")).trim().split("\n");
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ requestURI }) => requestURI.includes(query))
    .map(({ stage, responseStatus }) => (responseStatus === undefined ? stage : `${stage} ${responseStatus.code}`));
}

async function kubeletCertificate(issuer: CertificateAndKey): Promise<CertificateAndKey> {
  const now = Date.now();
  const subject = { kind: "server", commonName: "node", dnsNames: [], ipAddresses: ["127.0.0.1", "10.9.0.1"] } as const;
  return await issueCertificate({ subject, issuer, notBefore: new Date(now - dayMs), notAfter: new Date(now + dayMs) });
}

function egressConfiguration(url: string): string {
  return `apiVersion: apiserver.k8s.io/v1beta1
kind: EgressSelectorConfiguration
egressSelections:
- name: cluster
  connection: {proxyProtocol: HTTPConnect, transport: {tcp: {url: "${url}"}}}
`;
}

const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
rules: [{level: Metadata, resources: [{group: "", resources: ["pods/*"]}]}]
`;

/** A page with links, in which \`root\` stands wherever a link to the root of its server does. */
function page(root: string): string {
  return `<html><head profile="${root}p"><base href="${root}b/"></head><body background="${root}bg.png">
<!-- <a href="/c"> --><A HREF="${root}upper" Target=x>t</A><a href="rel">r</a><a href="https://example.com/x">e</a>
<a href="//h/x">s</a><img src="${root}i.png?a=b&amp;c=d" alt="&lt;x>"/><script src="${root}s.js">var a="<a href='/no'>"</script>
<form action="${root}f#g"></form><textarea><a href="/no"></textarea><p href="/n">x &amp; y &euro; €</p></body></html>
`;
}
