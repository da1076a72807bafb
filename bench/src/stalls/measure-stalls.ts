import type { BenchEnvironment } from "../bench-environment.js";
import { collectionPath } from "../config-maps.js";
import { fill } from "../fill.js";
import type { LatencyProbeOperations } from "../load/latency-probe.js";
import type { Child } from "../processes/child.js";
import { type Gatehouse, startGatehouse } from "../processes/gatehouse.js";
import { startLatencyProbe, startLoadGenerator } from "../processes/start-children.js";
import { growthDefinitions } from "./growth-requests.js";
import { longListDefinition } from "./large-object-requests.js";
import { turnFileOf, withTurnMeter } from "./longest-turn.js";
import { measureStall, type Stall } from "./measure-stall.js";
import { patchedName } from "./patch-requests.js";
import { patternDefinition } from "./pattern-requests.js";
import { type StallRequest, stallNamespace } from "./stall-request.js";

/** Limit in milliseconds on the delay that one client's request may cause to others. */
export const stallLimitMs = 200;

/** A burst of other work on the machine looks like a stall, but not three times; and no burst is as long as this. */
const attempts = 3;
const beyondDoubtMs = 5 * stallLimitMs;
/** A server that does not come back to itself in this time is started anew. */
const settleMs = 10_000;

/** One row of the report. */
export interface StallRow {
  readonly name: string;
  readonly worstMs: number;
  readonly outcome: string;
  readonly isMet: boolean;
}

/** Sends each request to a server with 20,000 objects, one after the other, and tells how long others had to wait. */
export async function* measureStalls(
  environment: BenchEnvironment,
  requests: readonly StallRequest[],
): AsyncGenerator<StallRow> {
  const directory = await environment.makeDirectory();
  await fillStore(environment, directory);
  let running: Running | undefined;
  try {
    for (const request of requests) {
      const send = request.prepare();
      let best: Stall | undefined;
      for (let attempt = 0; attempt < (request.onlyFirst === true ? 1 : attempts); attempt++) {
        const isIdle = request.onlyFirst !== true && (await running?.probe.call("settled", { withinMs: settleMs }));
        if (running === undefined || isIdle !== true) {
          await stop(running);
          running = await start(environment, directory);
        }
        const stall = await measureStall(
          running.gatehouse,
          running.probe,
          environment.certificates,
          send,
          turnFileOf(directory),
        );
        if (best === undefined || stall.worstMs < best.worstMs || stall.serverEnded) {
          best = stall;
        }
        if (stall.serverEnded) {
          await stop(running);
          running = undefined;
          break;
        }
        if (stall.worstMs <= stallLimitMs || stall.worstMs > beyondDoubtMs) {
          break;
        }
      }
      if (best !== undefined) {
        const { worstMs, outcome, serverEnded } = best;
        yield { name: request.name, worstMs, outcome, isMet: worstMs <= stallLimitMs && !serverEnded };
      }
    }
  } finally {
    await stop(running);
  }
}

/** Some of the kinds are served in early versions only. */
const allVersions = ["--runtime-config=api/all=true"];

interface Running {
  readonly gatehouse: Gatehouse;
  readonly probe: Child<LatencyProbeOperations>;
}

async function start(environment: BenchEnvironment, directory: string): Promise<Running> {
  const gatehouse = await startGatehouse(withTurnMeter(environment, turnFileOf(directory)), directory, allVersions);
  const probe = startLatencyProbe();
  await probe.call("open", { port: gatehouse.port, certificates: environment.certificates });
  await probe.call("settled", { withinMs: settleMs });
  return { gatehouse, probe };
}

async function stop(running: Running | undefined): Promise<void> {
  await running?.probe[Symbol.asyncDispose]();
  await running?.gatehouse[Symbol.asyncDispose]();
}

async function fillStore(environment: BenchEnvironment, directory: string): Promise<void> {
  await using gatehouse = await startGatehouse(environment, directory);
  await using load = startLoadGenerator();
  const create = (path: string, kind: string, name: string) =>
    gatehouse.request("POST", path, JSON.stringify({ apiVersion: "v1", kind, metadata: { name } }));
  await create("/api/v1/namespaces", "Namespace", stallNamespace);
  await create(`/api/v1/namespaces/${stallNamespace}/configmaps`, "ConfigMap", patchedName);
  for (const { path, json } of [longListDefinition, ...growthDefinitions, patternDefinition]) {
    await gatehouse.request("POST", path, json);
  }
  await fill(load, gatehouse, environment.certificates, environment.quick ? 5000 : 20_000);
  await gatehouse.request("GET", `${collectionPath}?limit=1`);
}
