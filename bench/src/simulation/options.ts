import type { BenchOptions } from "../bench-environment.js";

/** Options of an environment in which programs of this folder measure: they take no part of the benchmarks' flags. */
export const environmentOptions: BenchOptions = {
  quick: false,
  auditEvents: 0,
  sinkSeconds: 0,
  rounds: undefined,
  serverNodeOptions: [],
  peer: undefined,
  peerEtcd: undefined,
  peerPair: undefined,
  expressionPeer: undefined,
  etcd: undefined,
  parentDirectory: undefined,
};

/** Returns the numbers of a flag, or others when it is not given. */
export function numbersOf(texts: readonly string[], otherwise: readonly number[]): readonly number[] {
  return texts.length === 0 ? otherwise : texts.map(Number);
}
