import { Agent, get, type RequestOptions } from "node:https";
import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark } from "../benchmark.js";
import { benchNamespace } from "../config-maps.js";
import { readClientTls } from "../processes/client-tls.js";
import { type Gatehouse, startGatehouse } from "../processes/gatehouse.js";
import { processorSeconds } from "../processes/process-usage.js";
import { startBareServer } from "../processes/start-children.js";
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
    const kubeletPort = await kubelet.call("listen", certificates);
    const headers = { "content-type": "text/plain" };
    await kubelet.call("serve", { path: kubeletPath, headers, body: Buffer.alloc(logBytes, "a line\n"), chunkBytes });
    const path = await runPod(gatehouse, kubeletPort);
    const tls = readClientTls(certificates);
    const side = (port: number, pid: number, asked: string) => async () => {
      const agent = new Agent({ ...tls, keepAlive: true, maxSockets: connections });
      await readFor(roundMs / 4, agent, port, asked);
      const before = await processorSeconds([pid]);
      const { bytes, seconds } = await readFor(roundMs, agent, port, asked);
      agent.destroy();
      const processorMicros = ((await processorSeconds([pid])) - before) / (bytes / 1e12);
      return { value: bytes / 1e6 / seconds, processorMicros };
    };
    return await interleave(
      environment.rounds,
      side(gatehouse.port, gatehouse.pid, path),
      side(kubeletPort, kubelet.pid, kubeletPath),
    );
  },
};

/** Reads one log after the other over each connection, for a time, and to the end of the last ones. */
async function readFor(
  ms: number,
  agent: Agent,
  port: number,
  path: string,
): Promise<{ bytes: number; seconds: number }> {
  const begun = performance.now();
  let bytes = 0;
  const readAll = async (): Promise<void> => {
    while (performance.now() - begun < ms) {
      // The sum is read after the answer has come: others have added to it meanwhile.
      const read = await readOne({ host: "127.0.0.1", port, path, agent });
      bytes += read;
    }
  };
  await Promise.all(Array.from({ length: connections }, readAll));
  return { bytes, seconds: (performance.now() - begun) / 1000 };
}

/** Resolves to the length of an answer in bytes; its length need not be told beforehand, as those of logs never are. */
function readOne(options: RequestOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = get(options, (response) => {
      let bytes = 0;
      response.on("data", (piece: Buffer) => {
        bytes += piece.length;
      });
      response.once("error", reject);
      response.once("end", () =>
        bytes === logBytes ? resolve(bytes) : reject(new Error(`HTTP ${response.statusCode} with ${bytes} bytes`)),
      );
    });
    asked.once("error", reject);
  });
}

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
