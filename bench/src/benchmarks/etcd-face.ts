import { loadEtcdApi } from "@gatehouse/apiserver/storage/etcd/api";
import type { Benchmark } from "../benchmark.js";
import { type LoadRequest, numberDigits, numberMark } from "../load/load-request.js";
import { Writers } from "../load/writers.js";
import { startEtcd } from "../processes/etcd.js";
import { startEtcdFace } from "../processes/etcd-face.js";
import { startLoadGenerator } from "../processes/start-children.js";
import { interleave } from "../rounds.js";
import { etcdOf } from "./etcd.js";

/** About the size of a ConfigMap of 1 KB as it is stored. */
const valueBytes = 1100;

/** Puts by the API of etcd, on the embedded store and on etcd (`--etcd`), by the same client. */
export const etcdFaceBenchmark: Benchmark = {
  name: "etcd-face-put",
  what: "put 1.1 KB values by the API of etcd, 32 connections, durable",
  limit: "the same on etcd itself",
  unit: "puts/s",
  wanted: { atLeast: 1.5 },
  needs: "etcd",
  async run(environment) {
    await using etcd = await startEtcd(etcdOf(environment), await environment.makeDirectory());
    await using face = await startEtcdFace(environment);
    await using load = startLoadGenerator();
    const request = await putRequest();
    const [figure, limit] = [face, etcd].map(({ port, pid }) =>
      new Writers(environment, { port, pids: [pid], certificates: undefined }, load, "gRPC").answering(request),
    ) as [never, never];
    return await interleave(environment.rounds, figure, limit);
  },
};

/** A put of a new key with each number. */
async function putRequest(): Promise<LoadRequest> {
  const { kv } = await loadEtcdApi();
  const number = "0".repeat(numberDigits);
  const key = `/registry/configmaps/default/bench-${number}`;
  const value = Buffer.alloc(valueBytes, "x");
  const message = kv.Put.requestSerialize({ key: Buffer.from(key), value });
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return {
    method: "POST",
    path: kv.Put.path,
    body: Buffer.concat([prefix, message]).toString("latin1").replace(number, numberMark),
    isGrpc: true,
  };
}
