import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type KmsPlugin, startKmsPlugin } from "@gatehouse/testing/kms-plugin";
import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark } from "../benchmark.js";
import type { LoadRequest } from "../load/load-request.js";
import { Writers } from "../load/writers.js";
import { type Gatehouse, startGatehouse } from "../processes/gatehouse.js";
import { startLoadGenerator } from "../processes/start-children.js";
import { interleave } from "../rounds.js";
import { secretCreation, secretJson, secretsPath } from "../secrets.js";

/** Measures the cost of encryption at rest, by KMS v2, for writes and reads of Secrets. */
export const encryptedBenchmarks: readonly Benchmark[] = [
  encryptedBenchmark(
    "create-encrypted",
    "create 1 KB Secrets, encrypted by KMS v2, HTTP/1.1, 32 connections, durable",
    (writers) => writers.creating(secretCreation()),
  ),
  encryptedBenchmark("get-encrypted", "get a 1 KB Secret, encrypted by KMS v2, HTTP/1.1, 32 connections", (writers) =>
    writers.changing((): LoadRequest => ({ method: "GET", path: `${secretsPath}/first` })),
  ),
];

function encryptedBenchmark(
  name: string,
  what: string,
  rounds: (writers: Writers) => ReturnType<Writers["creating"]>,
): Benchmark {
  return {
    name,
    what,
    limit: "the same, not encrypted",
    unit: "requests/s",
    wanted: { atLeast: 0.9 },
    async run(environment) {
      await using plugin = await startKmsPlugin({ endpoint: `unix://${await environment.makeDirectory()}/kms.sock` });
      const flag = `--encryption-provider-config=${await writeConfiguration(environment, plugin)}`;
      await using encrypting = await startGatehouse(environment, undefined, [flag]);
      await using plain = await startGatehouse(environment);
      await using load = startLoadGenerator();
      const side = async (server: Gatehouse): Promise<ReturnType<Writers["creating"]>> => {
        await server.request("POST", secretsPath, secretJson("first"));
        return rounds(new Writers(environment, server, load));
      };
      return await interleave(environment.rounds, await side(encrypting), await side(plain));
    },
  };
}

async function writeConfiguration(environment: BenchEnvironment, { endpoint }: KmsPlugin): Promise<string> {
  const file = join(await environment.makeDirectory(), "encryption.json");
  const kind = { apiVersion: "apiserver.config.k8s.io/v1", kind: "EncryptionConfiguration" };
  const provider = { kms: { name: "bench", apiVersion: "v2", endpoint } };
  const content = { ...kind, resources: [{ resources: ["secrets"], providers: [provider, { identity: {} }] }] };
  await writeFile(file, JSON.stringify(content), { mode: 0o600 });
  return file;
}
