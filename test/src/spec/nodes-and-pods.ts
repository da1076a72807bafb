import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { pipeline } from "node:stream/promises";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import type { ExecHandler } from "@gatehouse/testing/kubelet";
import { WebSocket } from "ws";
import { type ServerWithNode, withNode } from "../nodes/server-with-node.js";
import { startTestServer } from "../support/start-test-server.js";
import { suspendProcess } from "../support/suspend-process.js";
import { until } from "../support/until.js";
import { type ApiClient, createApiClient } from "./support/api-client.js";
import { assertCode, assertStatus } from "./support/assert-status.js";

const verbs = "Endpoints, Verbs";
const limits = "Limits";

describe("Requests that are passed on to nodes", () => {
  let cluster: ServerWithNode;
  let client: ApiClient;
  before(async () => {
    cluster = await withNode(async () => {
      const server = await startTestServer({ flags: ["--disable-admission-plugins=ServiceAccount"] });
      client = createApiClient(server.clientConfig);
      return server;
    });
  });
  after(async () => {
    client?.[Symbol.dispose]();
    await cluster?.[Symbol.asyncDispose]();
  });

  it(`${verbs}, proxy: a request is passed on to the one object that its path names`, async () => {
    const answer = await client.get(`/api/v1/nodes/${cluster.node.name}/proxy/metrics`);
    assertCode(answer, 200);
    assert.equal(answer.text, "up 1\n");
  });

  it(`${verbs}, proxy: there is none for a collection, whose path would name an object`, async () => {
    assertStatus(await client.get("/api/v1/nodes/proxy"), {
      code: 404,
      reason: "NotFound",
      message: 'nodes "proxy" not found',
      details: { name: "proxy", kind: "nodes" },
    });
  });
});

/** Bytes a second of a limited connection. */
const bytesPerSecond = 200;

describe("Connections to pods whose rate is limited", () => {
  it(`${limits}, --max-connection-bytes-per-sec: what comes after a piece waits until its time is over`, async () => {
    const flags = ["--disable-admission-plugins=ServiceAccount", `--max-connection-bytes-per-sec=${bytesPerSecond}`];
    let server: ControlPlane | undefined;
    await using cluster = await withNode(async () => {
      server = await startTestServer({ flags });
      return server;
    });
    // What comes in goes out again.
    const exec: ExecHandler = async (_command, { stdin, stdout }) => await pipeline(stdin, stdout).then(() => 0);
    const pod = await cluster.node.runPod({ name: "echo", exec });
    const path = `/api/v1/namespaces/${pod.namespace}/pods/${pod.name}/exec?command=cat&stdin=true&stdout=true`;
    const { url, tls } = server as ControlPlane;
    const socket = new WebSocket(`${url.replace("https:", "wss:")}${path}`, ["v4.channel.k8s.io"], { ...tls });
    try {
      await once(socket, "open");
      let received = "";
      socket.on("message", (message: Buffer) => {
        received += message.subarray(1).toString();
      });
      const seconds = 2;
      const startedAt = performance.now();
      socket.send(`\0${"a".repeat(seconds * bytesPerSecond)}`);
      await until("the first piece has come back", () => received.includes("a"));
      socket.send("\0b");
      await until("the second piece has come back", () => received.includes("b"));
      assert.ok(performance.now() - startedAt >= seconds * 1000, "the second piece has waited");
    } finally {
      socket.terminate();
    }
  });
});

/** Opens a port of which no connection comes about: its process is stopped, and as many wait there as may. */
async function openFullPort(): Promise<{ readonly port: number } & Disposable> {
  const script = `const s = net.createServer().listen(0, "127.0.0.1", 1, () => console.log(s.address().port))`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const port = Number(line.toString());
  await suspendProcess(child.pid as number);
  const waiting = Array.from({ length: 8 }, () => connect(port, "127.0.0.1").on("error", () => {}));
  // A backlog of one takes two.
  await Promise.all(waiting.slice(0, 2).map((socket) => once(socket, "connect")));
  return {
    port,
    [Symbol.dispose]() {
      for (const socket of waiting) {
        socket.destroy();
      }
      child.kill("SIGKILL");
    },
  };
}

describe("Calls to nodes that do not answer", () => {
  it(`${limits}, --kubelet-timeout: a connection to a node that does not come about is given up`, async () => {
    using silent = await openFullPort();
    await using server = await startTestServer({
      flags: ["--kubelet-timeout=200ms", "--disable-admission-plugins=ServiceAccount"],
    });
    using client = createApiClient(server.clientConfig);
    assertCode(await client.post("/api/v1/nodes", { metadata: { name: "silent" } }), 201);
    const status = {
      addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
      daemonEndpoints: { kubeletEndpoint: { Port: silent.port } },
    };
    assertCode(await client.patch("/api/v1/nodes/silent/status", "application/merge-patch+json", { status }), 200);
    const pods = "/api/v1/namespaces/default/pods";
    const spec = { nodeName: "silent", containers: [{ name: "c", image: "i" }] };
    assertCode(await client.post(pods, { metadata: { name: "p" }, spec }), 201);
    const answer = await client.get(`${pods}/p/log`);
    assertCode(answer, 500);
    assert.equal(
      answer.document.message,
      `Get "https://127.0.0.1:${silent.port}/containerLogs/default/p/c": dial tcp 127.0.0.1:${silent.port}: i/o timeout`,
    );
  });
});
