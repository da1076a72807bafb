import { setTimeout as sleep } from "node:timers/promises";
import type { Benchmark } from "../benchmark.js";
import { withClient } from "../certificates.js";
import { collectionPath, configMapJson, configMapName } from "../config-maps.js";
import { answeredRounds } from "../load/answered-rounds.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { startLatencyProbe, startLoadGenerator } from "../processes/start-children.js";
import { interleave } from "../rounds.js";

const path = `${collectionPath}/${configMapName(0)}`;

/** Measures the cost of seats and turns where there are enough of both. */
export const getUnderFlowControlBenchmark: Benchmark = {
  name: "get-flow-control",
  what: "get a 1 KB ConfigMap as a user whose requests are limited by priority and fairness",
  limit: "the same with --enable-priority-and-fairness=false and no limits",
  unit: "requests/s",
  wanted: { atLeast: 0.93 },
  async run(environment) {
    const { roundMs } = environment;
    const certificates = await withClient(environment.certificates, { user: "modest", groups: ["team-modest"] });
    const start = async (flags: readonly string[]) => {
      const gatehouse = await startGatehouse(environment, undefined, flags);
      await gatehouse.request("POST", collectionPath, configMapJson(configMapName(0)));
      return gatehouse;
    };
    await using fair = await start([]);
    await using open = await start([
      "--enable-priority-and-fairness=false",
      "--max-requests-inflight=0",
      "--max-mutating-requests-inflight=0",
    ]);
    await using load = startLoadGenerator();
    const side = ({ port, pid }: { readonly port: number; readonly pid: number }) =>
      answeredRounds(load, { port, certificates, pids: [pid] }, { request: { method: "GET", path }, roundMs });
    return await interleave(environment.rounds, side(fair), side(open));
  },
};

/** The number of connections of the user who wants everything. */
const greedyConnections = 500;

/** Measures what a user with many connections costs another with one. */
export const fairnessBenchmark: Benchmark = {
  name: "fairness",
  what: `p99 of gets of one user over one connection, beside ${greedyConnections} connections of another user`,
  limit: "the same alone",
  unit: "ms",
  wanted: { atMost: 1.2 },
  async run(environment) {
    const { roundMs } = environment;
    const modest = await withClient(environment.certificates, { user: "modest", groups: ["team-modest"] });
    const greedy = await withClient(environment.certificates, { user: "greedy", groups: ["team-greedy"] });
    await using gatehouse = await startGatehouse(environment);
    await gatehouse.request("POST", collectionPath, configMapJson(configMapName(0)));
    await using load = startLoadGenerator();
    await using probe = startLatencyProbe();
    const { port } = gatehouse;
    await probe.call("open", { port, certificates: modest, path });
    const warmupMs = roundMs / 4;
    const measure = async () => {
      await sleep(warmupMs);
      await probe.call("reset", undefined);
      await sleep(roundMs);
      const { p99 } = await probe.call("seen", undefined);
      return { value: p99 };
    };
    const beside = async () => {
      await load.call("begin", {
        port,
        certificates: greedy,
        protocol: "HTTP/1.1",
        connections: greedyConnections,
        streams: 1,
        request: { method: "GET", path },
        firstNumber: 0,
        expectedCode: 200,
      });
      const begunAt = performance.now();
      const measured = await measure();
      const answers = await load.call("end", undefined);
      const perSecond = Math.round((1000 * answers) / (performance.now() - begunAt));
      return { ...measured, notes: [`the other user had ${perSecond} answers a second`] };
    };
    return await interleave(environment.rounds, beside, measure);
  },
};
