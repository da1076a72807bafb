import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark } from "../benchmark.js";
import { benchNamespace } from "../config-maps.js";
import { roundResult } from "../load/round-result.js";
import { type Gatehouse, startGatehouse } from "../processes/gatehouse.js";
import { startBareServer, startLoadGenerator } from "../processes/start-children.js";
import { interleave } from "../rounds.js";

const connections = 4;
const logBytes = 8 * 1024 * 1024;
/** The usual size of pieces in Node's own streams. */
const chunkBytes = 64 * 1024;
const kubeletPath = `/containerLogs/${benchNamespace}/web/app`;

/** Measures what a log costs on its way through the server. */
export const logStreamBenchmark: Benchmark = {
  name: "log-stream",
  what: "read logs of 8 MiB through the server, 4 connections",
  limit: "the same from the kubelet: a bare Node HTTPS server sending one prepared buffer in chunks",
  unit: "MB/s",
  wanted: { atLeast: 0.5 },
  async run(environment: BenchEnvironment) {
    const { certificates, roundMs } = environment;
    await using gatehouse = await startGatehouse(environment, undefined, [
      `--kubelet-certificate-authority=${certificates.caFile}`,
      `--kubelet-client-certificate=${certificates.clientCertFile}`,
      `--kubelet-client-key=${certificates.clientKeyFile}`,
      "--disable-admission-plugins=ServiceAccount",
    ]);
    await using kubelet = startBareServer("HTTP/1.1");
    await using load = startLoadGenerator();
    const kubeletPort = await kubelet.call("listen", certificates);
    const headers = { "content-type": "text/plain" };
    await kubelet.call("serve", { path: kubeletPath, headers, body: Buffer.alloc(logBytes, "a line\n"), chunkBytes });
    const path = await runPod(gatehouse, kubeletPort);
    const side = (port: number, pid: number, asked: string) => async () => {
      const result = await load.call("run", {
        port,
        certificates,
        protocol: "HTTP/1.1",
        connections,
        streams: 1,
        request: { method: "GET", path: asked },
        firstNumber: 0,
        expectedCode: 200,
        warmupMs: roundMs / 4,
        durationMs: roundMs,
        serverPids: [pid],
      });
      return roundResult(result, result.bytes / 1e6);
    };
    return await interleave(
      environment.rounds,
      side(gatehouse.port, gatehouse.pid, path),
      side(kubeletPort, kubelet.pid, kubeletPath),
    );
  },
};

/** Makes a node with the kubelet at `port`, and a pod on it. Resolves to the path of the pod's log. */
async function runPod(gatehouse: Gatehouse, port: number): Promise<string> {
  const node = JSON.parse(
    (await gatehouse.request("POST", "/api/v1/nodes", JSON.stringify({ metadata: { name: "here" } }))).body.toString(),
  );
  node.status = {
    addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
  await gatehouse.request("PUT", "/api/v1/nodes/here/status", JSON.stringify(node));
  const pods = `/api/v1/namespaces/${benchNamespace}/pods`;
  const spec = { nodeName: "here", containers: [{ name: "app", image: "i" }] };
  await gatehouse.request("POST", pods, JSON.stringify({ metadata: { name: "web" }, spec }));
  return `${pods}/web/log`;
}
