import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark, Measurement } from "../benchmark.js";
import { createRequest } from "../fill.js";
import type { LoadResult } from "../load/load-generator.js";
import { roundResult } from "../load/round-result.js";
import { type Gatehouse, startGatehouse } from "../processes/gatehouse.js";
import { startHookServer, startLoadGenerator } from "../processes/start-children.js";
import { interleave, type RoundResult } from "../rounds.js";

const configurations = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

/** Measures the cost of a webhook call beside the write. */
export const webhookBenchmark: Benchmark = {
  name: "create-webhook",
  what: "create 1 KB ConfigMaps through one validating webhook, HTTP/1.1, 32 connections, durable",
  limit: "the same without a webhook",
  unit: "objects/s",
  wanted: { atLeast: 0.5 },
  run: (environment) =>
    compare(environment, { connections: 32, webhooks: [1, 0], read: (result) => roundResult(result, result.answers) }),
};

/** All are asked at a time. */
export const manyWebhooksBenchmark: Benchmark = {
  name: "webhooks-20",
  what: "create a 1 KB ConfigMap through 20 validating webhooks, one connection",
  limit: "through one webhook",
  unit: "ms",
  wanted: { atMost: 3 },
  run: (environment) =>
    compare(environment, {
      connections: 1,
      webhooks: [20, 1],
      read: ({ seconds, answers }) => ({ value: (seconds * 1000) / answers }),
    }),
};

interface Comparison {
  readonly connections: number;
  /** Number of webhooks for the figure, and for the limit. */
  readonly webhooks: readonly [number, number];
  readonly read: (result: LoadResult) => RoundResult;
}

async function compare(
  environment: BenchEnvironment,
  { connections, webhooks, read }: Comparison,
): Promise<Measurement> {
  const { certificates, roundMs } = environment;
  await using gatehouse = await startGatehouse(environment);
  await using load = startLoadGenerator();
  await using hooks = startHookServer();
  const port = await hooks.call("listen", certificates);
  const caBundle = readFileSync(certificates.caFile).toString("base64");
  let nextNumber = 0;
  const round = (count: number) => async () => {
    await configure(gatehouse, `https://127.0.0.1:${port}/`, caBundle, count);
    const result = await load.call("run", {
      port: gatehouse.port,
      certificates,
      protocol: "HTTP/1.1",
      connections,
      streams: 1,
      request: createRequest(),
      firstNumber: nextNumber,
      expectedCode: 201,
      warmupMs: roundMs / 4,
      durationMs: roundMs,
      serverPids: [gatehouse.pid],
    });
    nextNumber = result.nextNumber;
    await gatehouse.request("DELETE", `${configurations}/bench`);
    return read(result);
  };
  const [figure, limit] = webhooks;
  return await interleave(environment.rounds, round(figure), round(limit));
}

async function configure(gatehouse: Gatehouse, url: string, caBundle: string, count: number): Promise<void> {
  const configuration = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "bench" },
    webhooks: Array.from({ length: count }, (_, index) => ({
      name: `hook-${index}.example.com`,
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      clientConfig: { url, caBundle },
      rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
    })),
  };
  await gatehouse.request("POST", configurations, JSON.stringify(configuration));
  // It is known at once; the pause lets what the last round has left to do come to its end.
  await sleep(200);
}
