import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark } from "../benchmark.js";
import { collectionPath, configMapJson } from "../config-maps.js";
import { createRequest } from "../fill.js";
import type { LoadRequest } from "../load/load-request.js";
import { Writers, writers } from "../load/writers.js";
import { startEtcd } from "../processes/etcd.js";
import { type Gatehouse, startGatehouse } from "../processes/gatehouse.js";
import { startBareEtcdWriter, startLoadGenerator } from "../processes/start-children.js";
import { interleave, type Round } from "../rounds.js";

/** The API server on etcd (`--etcd`). */
export const etcdBenchmarks: readonly Benchmark[] = [
  {
    name: "create-etcd",
    what: "create 1 KB ConfigMaps on etcd, HTTP/1.1, 32 connections",
    limit: "bare puts of the same size by the same client, 32 writers",
    unit: "objects/s",
    wanted: { atLeast: 0.5 },
    needs: "etcd",
    async run(environment) {
      const { roundMs } = environment;
      await using etcd = await startEtcd(etcdOf(environment), await environment.makeDirectory());
      await using gatehouse = await startOnEtcd(environment, etcd.url);
      await using bare = startBareEtcdWriter();
      await using load = startLoadGenerator();
      const created = await gatehouse.request("POST", collectionPath, configMapJson("bench-size"));
      const limit = async () => ({
        value: await bare.call("write", {
          url: etcd.url,
          writers,
          valueBytes: created.body.length,
          warmupMs: roundMs / 4,
          durationMs: roundMs,
        }),
      });
      const figure = new Writers(environment, gatehouse, load).creating(createRequest());
      return await interleave(environment.rounds, figure, limit);
    },
  },
  {
    name: "get-etcd",
    what: "get a 1 KB ConfigMap on etcd, HTTP/1.1, 32 connections",
    limit: "the same on the embedded store",
    unit: "requests/s",
    wanted: { atLeast: 0.7 },
    needs: "etcd",
    async run(environment) {
      await using etcd = await startEtcd(etcdOf(environment), await environment.makeDirectory());
      await using onEtcd = await startOnEtcd(environment, etcd.url);
      await using embedded = await startGatehouse(environment);
      await using load = startLoadGenerator();
      const side = async (server: Gatehouse): Promise<Round> => {
        await server.request("POST", collectionPath, configMapJson("bench-read"));
        const request: LoadRequest = { method: "GET", path: `${collectionPath}/bench-read` };
        return new Writers(environment, server, load).changing(() => request);
      };
      return await interleave(environment.rounds, await side(onEtcd), await side(embedded));
    },
  },
];

/** Starts the server on an etcd, beside whatever else keeps its objects there, that of an earlier run, too. */
export async function startOnEtcd(environment: BenchEnvironment, url: string): Promise<Gatehouse> {
  const flags = [`--etcd-servers=${url}`, `--etcd-prefix=/gatehouse-bench-${process.pid}`];
  return startGatehouse(environment, undefined, flags);
}

/** Returns the program etcd. Throws when `--etcd` was not given. */
export function etcdOf({ etcd }: BenchEnvironment): string {
  if (etcd === undefined) {
    throw new Error("there is no etcd to measure with: --etcd names the program");
  }
  return etcd;
}
