import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark } from "../benchmark.js";
import { deploymentCreation } from "../deployments.js";
import { Writers } from "../load/writers.js";
import { startAuditSink } from "../processes/audit-sink.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { startLoadGenerator } from "../processes/start-children.js";
import { interleave } from "../rounds.js";

/** Returns the benchmark of recording a write, at its beginning and at its end. */
function createAudit(name: string, how: string, flagsFor: (folder: string) => readonly string[]): Benchmark {
  return {
    name,
    what: `create 10 KB Deployments with Metadata audit to the sink, ${how}, HTTP/1.1, 32 connections, durable`,
    limit: "the same without audit",
    unit: "objects/s",
    wanted: { atLeast: 0.9 },
    async run(environment) {
      await using sink = await startAuditSink(environment);
      const folder = await environment.makeDirectory();
      const flags = [...(await auditFlags(environment, folder, sink.port)), ...flagsFor(folder)];
      await using auditing = await startGatehouse(environment, undefined, flags);
      await using bare = await startGatehouse(environment);
      await using load = startLoadGenerator();
      return await interleave(
        environment.rounds,
        new Writers(environment, auditing, load).creating(deploymentCreation()),
        new Writers(environment, bare, load).creating(deploymentCreation()),
      );
    },
  };
}

/** A policy that records everything at Metadata, and who we are to the sink. */
async function auditFlags(
  { certificates }: BenchEnvironment,
  folder: string,
  port: number,
): Promise<readonly string[]> {
  const policyFile = join(folder, "policy.json");
  const configFile = join(folder, "kubeconfig");
  const rules = [{ level: "Metadata" }];
  await writeFile(policyFile, JSON.stringify({ kind: "Policy", apiVersion: "audit.k8s.io/v1", rules }));
  const cluster = { server: `https://127.0.0.1:${port}/audit`, "certificate-authority": certificates.caFile };
  const user = { "client-certificate": certificates.clientCertFile, "client-key": certificates.clientKeyFile };
  await writeFile(
    configFile,
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "sink", cluster }],
      users: [{ name: "bench", user }],
      contexts: [{ name: "sink", context: { cluster: "sink", user: "bench" } }],
      "current-context": "sink",
    }),
  );
  return [
    `--audit-policy-file=${policyFile}`,
    `--audit-webhook-config-file=${configFile}`,
    // The usual ten batches a second are fewer events than these writes make.
    "--audit-webhook-batch-throttle-enable=false",
    "--audit-webhook-batch-max-wait=1s",
  ];
}

export const createAuditBenchmarks: readonly Benchmark[] = [
  createAudit("create-audit", "in batches", () => []),
  createAudit("create-audit-spool", "through a spool", (folder) => [
    `--audit-webhook-spool-dir=${join(folder, "spool")}`,
  ]),
];
