import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:http2";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { eventually } from "../eventually.js";
import { type ControlPlane, startControlPlane } from "../index.js";
import { startNode, type TestNode, type TestPod } from "./index.js";
import { KubeletClient } from "./kubelet-client.test.support.js";

let cluster: ControlPlane;
let node: TestNode;
let web: TestPod;
let kubelet: KubeletClient;
const backend = createServer((request, response) => response.end(`page ${request.url}`)).listen(0, "127.0.0.1");
const half = 512 * 1024;

before(async () => {
  cluster = await startControlPlane({ authorization: ["AlwaysAllow"] });
  node = await startNode(cluster, {
    labels: { disk: "fast" },
    pages: { "/metrics": "up 1\n", "/stats/summary": { node: { nodeName: "worker-1" } } },
    requireClientCertificate: true,
    webSocketV5: true,
    script: ({ metadata }) => ({ logs: [`a pod of others: ${JSON.stringify((metadata as { name: string }).name)}`] }),
  });
  web = await node.runPod({
    name: "web",
    logs: [
      { text: "first", time: new Date("2024-01-01T00:00:00Z") },
      { text: "second", time: new Date("2024-01-01T00:00:01.5Z") },
      { text: "third", time: new Date("2024-01-01T00:00:02Z") },
    ],
    previousLogs: ["the last run"],
    containers: { main: {}, sidecar: { logs: () => ["piece ", "by ", "piece"] } },
    async exec([program, ...args], { stdin, stdout, stderr, sizes, tty }) {
      switch (program) {
        case "echo":
          stdout.write(`${args.join(" ")}\n`);
          stderr.write("a warning\n");
          return 0;
        case "upper":
          stdout.write((await text(stdin)).toUpperCase());
          return 3;
        case "flood":
          stdout.write(Buffer.alloc(half, "x"));
          stdout.write(Buffer.alloc(half, "y"));
          return 0;
        case "size":
          for await (const { width, height } of sizes) {
            stdout.write(`${width}x${height} ${tty}`);
            break;
          }
          return 0;
        default:
          throw new Error(`there is no program ${program}`);
      }
    },
    ports: { 80: (backend.address() as AddressInfo).port, 7: (connection) => void connection.pipe(connection) },
  });
  kubelet = new KubeletClient(node, cluster.tls);
});

after(async () => {
  await node?.stop();
  await cluster?.stop();
  backend.close();
});

const success = '{"metadata":{},"status":"Success"}';
const streams = "input=1&output=1&error=1";

describe("a node of tests", () => {
  test("is registered with its address and port, ready, and with a lease that it holds", async () => {
    const { body } = await cluster.client.requestJson({ path: "/api/v1/nodes/worker-1", ...limits() });
    const { metadata, status } = body as {
      metadata: { labels: Record<string, string> };
      status: Record<string, unknown>;
    };
    assert.equal(metadata.labels["disk"], "fast");
    assert.deepEqual(status["addresses"], [{ type: "InternalIP", address: "127.0.0.1" }]);
    assert.deepEqual(status["daemonEndpoints"], { kubeletEndpoint: { Port: node.port } });
    const path = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/worker-1";
    const lease = await cluster.client.requestJson({ path, ...limits() });
    assert.equal((lease.body as { spec: { holderIdentity: string } }).spec.holderIdentity, "worker-1");
  });

  test("runs pods that others assign to it, and removes them when they are deleted", async () => {
    const path = "/api/v1/namespaces/default/pods";
    const spec = { nodeName: "worker-1", containers: [{ name: "app", image: "app" }] };
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "other" }, spec };
    await cluster.client.requestJson({ method: "POST", path, body: pod, ...limits() });
    await eventually(async () => {
      const { body } = await cluster.client.requestJson({ path: `${path}/other`, ...limits() });
      assert.equal((body as { status: { phase: string } }).status.phase, "Running");
    });
    const { body } = await kubelet.get("/containerLogs/default/other/app");
    assert.equal(body, 'a pod of others: "other"\n');
    await cluster.client.requestJson({ method: "DELETE", path: `${path}/other`, ...limits() });
    await eventually(async () => {
      const { status } = await cluster.client.requestJson({ path: `${path}/other`, ...limits() });
      assert.equal(status, 404);
    });
  });

  test("reports a pod that has finished, and ends its log", async () => {
    const job = await node.runPod({ name: "job", logs: ["begin"] });
    const log = await kubelet.open("/containerLogs/default/job/main?follow=true");
    job.log("end");
    await job.finish(3);
    assert.equal(await text(log), "begin\nend\n");
    const { body } = await cluster.client.requestJson({ path: "/api/v1/namespaces/default/pods/job", ...limits() });
    assert.equal((body as { status: { phase: string } }).status.phase, "Failed");
  });

  test("says why a pod is refused", async () => {
    await assert.rejects(
      node.runPod({ name: "Not A Name" }),
      /pod Not A Name: the API server answered 422: .*RFC 1123/,
    );
  });

  test("serves the pages of its script, health and pods, and names pages that it lacks", async () => {
    assert.deepEqual(await kubelet.get("/metrics"), { status: 200, body: "up 1\n" });
    assert.equal((await kubelet.get("/stats/summary")).body, '{"node":{"nodeName":"worker-1"}}');
    assert.equal((await kubelet.get("/healthz")).body, "ok");
    assert.match((await kubelet.get("/pods")).body, /"kind":"PodList".*"name":"web"/);
    assert.deepEqual(await kubelet.get("/configz"), { status: 404, body: "node worker-1 has no page /configz" });
    assert.equal((await kubelet.get("/%")).status, 400);
  });

  test("serves these pages over HTTP/2 to clients that have it, as API servers do", async () => {
    const session = connect(`https://${node.address}:${node.port}`, cluster.tls);
    const get = (path: string) => text(session.request({ ":path": path }));
    assert.equal(await get("/metrics"), "up 1\n");
    assert.equal(await get("/healthz"), "ok");
    assert.match(await get("/pods"), /"kind":"PodList".*"name":"web"/);
    session.close();
  });

  test("knows its callers by their certificates", async () => {
    const stranger = new KubeletClient(node, { ca: cluster.tls.ca });
    assert.deepEqual(await stranger.get("/healthz"), { status: 401, body: "Unauthorized" });
    const headers = { upgrade: "SPDY/3.1", "x-stream-protocol-version": "v4.channel.k8s.io" };
    assert.equal((await stranger.upgrade("/exec/default/web/main?command=echo&output=1", headers)).status, 401);
  });
});

describe("a log", () => {
  const rows: readonly { readonly query: string; readonly status?: number; readonly body: string }[] = [
    { query: "", body: "first\nsecond\nthird\n" },
    { query: "tailLines=2", body: "second\nthird\n" },
    { query: "tailLines=0", body: "" },
    { query: "limitBytes=8", body: "first\nse" },
    { query: "tailLines=1&timestamps=true", body: "2024-01-01T00:00:02.000000000Z third\n" },
    { query: "sinceTime=2024-01-01T00:00:01Z", body: "second\nthird\n" },
    { query: "sinceSeconds=5", body: "" },
    // The lines are counted before the time is looked at.
    { query: "tailLines=1&sinceTime=2024-01-01T00:00:00Z", body: "third\n" },
    { query: "previous=true&follow=true", body: "the last run\n" },
    { query: "tailLines=-1", status: 422, body: '{"message": "Invalid request."}' },
    { query: "limitBytes=0", status: 422, body: '{"message": "Invalid request."}' },
    { query: "tailLines=some", status: 400, body: '{"message": "Unable to decode query."}' },
  ];
  for (const { query, status = 200, body } of rows) {
    test(`with the query "${query}" is ${status} ${JSON.stringify(body)}`, async () => {
      assert.deepEqual(await kubelet.get(`/containerLogs/default/web/main?${query}`), { status, body });
    });
  }

  test("is followed line by line as it is written", async () => {
    const log = await kubelet.open("/containerLogs/default/web/main?follow=true&tailLines=0");
    web.log("fourth");
    const [line] = await once(log, "data");
    assert.equal(String(line), "fourth\n");
    log.destroy();
  });

  test("may come from a function, and is cut like any other", async () => {
    assert.equal((await kubelet.get("/containerLogs/default/web/sidecar")).body, "piece by piece");
    assert.equal((await kubelet.get("/containerLogs/default/web/sidecar?limitBytes=8")).body, "piece by");
  });

  test("goes over HTTP/2 to clients that have it, as API servers do", async () => {
    const session = connect(`https://${node.address}:${node.port}`, cluster.tls);
    const stream = session.request({
      ":path": "/containerLogs/default/web/main?sinceTime=2024-01-01T00:00:01Z&limitBytes=6",
    });
    assert.equal(await text(stream), "second");
    session.close();
  });

  test("of a container that is not there is refused by name", async () => {
    const { status, body } = await kubelet.get("/containerLogs/default/web/none");
    assert.deepEqual({ status, body }, { status: 404, body: 'container not found ("none")' });
    assert.deepEqual(await kubelet.get("/containerLogs/default/none/main"), {
      status: 404,
      body: "pod does not exist",
    });
  });
});

describe("a command over SPDY", () => {
  for (const protocol of ["v4.channel.k8s.io", "v3.channel.k8s.io", "v2.channel.k8s.io", "channel.k8s.io"]) {
    test(`has its streams apart and ends with a status (${protocol})`, async () => {
      const path = "/exec/default/web/main?command=echo&command=two%20words&output=1&error=1";
      const { stdout, stderr, error } = await kubelet.command(path, () => {}, protocol);
      const status = protocol.startsWith("v4") ? success : "";
      assert.deepEqual({ stdout, stderr, error }, { stdout: "two words\n", stderr: "a warning\n", error: status });
    });
  }

  test("reads its input to the end, and reports its exit code", async () => {
    const path = `/exec/default/web/main?command=upper&${streams}`;
    const { stdout, error } = await kubelet.command(path, ({ stdin }) => stdin?.end("shout"));
    assert.equal(stdout, "SHOUT");
    assert.deepEqual(JSON.parse(error), {
      metadata: {},
      status: "Failure",
      message: "command terminated with non-zero exit code: exit status 3",
      reason: "NonZeroExitCode",
      details: { causes: [{ reason: "ExitCode", message: "3" }] },
    });
    const old = await kubelet.command(path, ({ stdin }) => stdin?.end(), "v2.channel.k8s.io");
    assert.equal(old.error, "command terminated with non-zero exit code: exit status 3");
  });

  test("gets the size of the terminal", async () => {
    const path = "/exec/default/web/main?command=size&output=1&tty=1";
    const { stdout } = await kubelet.command(path, ({ resize }) => resize?.write('{"Width":80,"Height":24}\n'));
    assert.equal(stdout, "80x24 true");
  });

  test("loses no output when it ends", async () => {
    const { stdout } = await kubelet.command("/exec/default/web/main?command=flood&output=1");
    assert.equal(stdout.length, 2 * half);
  });

  test("that fails is a failure of the runtime", async () => {
    const { error } = await kubelet.command("/exec/default/web/main?command=rm&output=1");
    const { message, code, reason } = JSON.parse(error);
    const said = "Internal error occurred: error executing command in container: there is no program rm";
    assert.deepEqual({ message, code, reason }, { message: said, code: 500, reason: "InternalError" });
  });

  test("attaches to the log when the script says nothing else", async () => {
    const quiet = await node.runPod({ name: "quiet" });
    const { stdout, error } = await kubelet.command("/attach/default/quiet/main?output=1", (opened) => {
      const timer = setInterval(() => quiet.log("a line"), 5);
      opened["stdout"]?.once("data", () => {
        clearInterval(timer);
        void quiet.finish();
      });
    });
    assert.match(stdout, /^(a line\n)+$/);
    assert.equal(error, success);
  });

  test("is refused with a reason when the request is none for streams", async () => {
    const headers = (protocol?: string): Record<string, string> => ({
      upgrade: "SPDY/3.1",
      ...(protocol === undefined ? {} : { "x-stream-protocol-version": protocol }),
    });
    const path = "/exec/default/web/main?command=echo";
    const answer = async (query: string, given: Record<string, string>) => {
      const { status, body } = await kubelet.upgrade(`${path}${query}`, given);
      return `${status} ${body}`;
    };
    assert.equal(
      await answer("", headers("v4.channel.k8s.io")),
      "400 you must specify at least 1 of stdin, stdout, stderr",
    );
    assert.equal(await answer("&output=1", headers()), "400 unable to upgrade: X-Stream-Protocol-Version is required");
    assert.match(
      await answer("&output=1", headers("v9.channel.k8s.io")),
      /^403 .*client supports \[v9.channel.k8s.io\]/,
    );
    assert.equal((await kubelet.get(`${path}&output=1`, "POST")).body, "Upgrade request required");
    const missing = await kubelet.upgrade("/exec/default/none/main?command=a&output=1", headers("v4.channel.k8s.io"));
    assert.deepEqual([missing.status, missing.body], [404, "pod does not exist"]);
  });
});

describe("a command over a WebSocket", () => {
  const end = async (socket: { once: (event: "close", heard: (code: number) => void) => void }): Promise<number> =>
    await new Promise((resolve) => socket.once("close", resolve));
  const joined = (messages: readonly Buffer[], channel: number): string =>
    Buffer.concat(messages.filter(([first]) => first === channel).map((message) => message.subarray(1))).toString();

  test("has a channel for each stream (v4.channel.k8s.io)", async () => {
    const path = "/exec/default/web/main?command=echo&command=hello&output=1&error=1";
    const { socket, messages } = await kubelet.webSocket(path, ["v4.channel.k8s.io"]);
    assert.equal(await end(socket), 1000);
    assert.deepEqual(messages[0], Buffer.from([1]), "an empty message says that the connection is established");
    assert.equal(joined(messages, 1), "hello\n");
    assert.equal(joined(messages, 2), "a warning\n");
    assert.equal(joined(messages, 3), success);
  });

  test("ends its input by a close signal (v5.channel.k8s.io)", async () => {
    const path = `/exec/default/web/main?command=upper&${streams}`;
    const { socket, messages } = await kubelet.webSocket(path, ["v5.channel.k8s.io"]);
    socket.send(Buffer.from("\0shout"));
    socket.send(Buffer.from([255, 0]));
    await end(socket);
    assert.equal(joined(messages, 1), "SHOUT");
    assert.equal(JSON.parse(joined(messages, 3)).reason, "NonZeroExitCode");
  });

  test("may be text in base64 (v4.base64.channel.k8s.io)", async () => {
    const path = "/exec/default/web/main?command=size&output=1&tty=1";
    const { socket, messages } = await kubelet.webSocket(path, ["v4.base64.channel.k8s.io"]);
    socket.send(`4${Buffer.from('{"Width":10,"Height":5}').toString("base64")}`);
    await end(socket);
    const texts = messages.map(String);
    assert.deepEqual(texts, ["1", `1${Buffer.from("10x5 true").toString("base64")}`, `3${btoa(success)}`]);
  });

  test("is ended with a reason when a message names no channel", async () => {
    const path = `/exec/default/web/main?command=upper&${streams}`;
    const { socket } = await kubelet.webSocket(path, ["v4.channel.k8s.io"]);
    socket.send(Buffer.from([9, 1, 2, 3]));
    assert.equal(await end(socket), 1002);
  });

  test("is refused with 403 for a protocol that is not known", async () => {
    const path = "/exec/default/web/main?command=echo&output=1";
    await assert.rejects(kubelet.webSocket(path, ["v6.channel.k8s.io"]), /Unexpected server response: 403/);
  });
});

describe("a forwarded port", () => {
  test("carries connections side by side, each to its end (SPDY)", async () => {
    const connection = await kubelet.spdy("/portForward/default/web", "portforward.k8s.io");
    const open = async (port: number, id: number) => {
      const headers = (type: string) =>
        new Map(Object.entries({ streamtype: type, port: String(port), requestid: String(id) }));
      const error = await connection.open(headers("error"), { end: true });
      return { error: text(error), data: await connection.open(headers("data")) };
    };
    const [page, echo, closed] = [await open(80, 0), await open(7, 1), await open(9, 2)];
    page.data.end("GET /home HTTP/1.1\r\nhost: web\r\nconnection: close\r\n\r\n");
    echo.data.end("there and back");
    assert.match(await text(page.data), /page \/home$/);
    assert.equal(await text(echo.data), "there and back");
    assert.equal(await closed.error, "error forwarding port 9 to pod: nothing listens on port 9");
    assert.equal(await text(closed.data), "");
    assert.deepEqual([await page.error, await echo.error], ["", ""]);
    await connection.close();
  });

  test("refuses streams without a port or a type", async () => {
    const connection = await kubelet.spdy("/portForward/default/web", "portforward.k8s.io");
    for (const headers of [
      { streamtype: "data", port: "0" },
      { streamtype: "stdin", port: "80" },
    ]) {
      await assert.rejects(connection.open(new Map(Object.entries(headers))), /has reset stream/);
    }
    await connection.close();
  });

  test("has two channels of a WebSocket for each port", async () => {
    const { socket, messages } = await kubelet.webSocket("/portForward/default/web?port=80", ["v4.channel.k8s.io"]);
    socket.send(Buffer.from("\0GET / HTTP/1.1\r\nhost: web\r\nconnection: close\r\n\r\n"));
    await once(socket, "close");
    assert.deepEqual(messages.slice(0, 2), [Buffer.from([0, 80, 0]), Buffer.from([1, 80, 0])]);
    assert.match(Buffer.concat(messages.slice(2)).toString(), /page \/$/);
  });
});

function limits(): { signal: AbortSignal; timeoutMs: number } {
  return { signal: AbortSignal.timeout(60_000), timeoutMs: 10_000 };
}
