import { setTimeout as sleep } from "node:timers/promises";
import type { Certificates } from "../certificates.js";
import type { LatencyProbeOperations } from "../load/latency-probe.js";
import type { Child } from "../processes/child.js";
import type { Gatehouse } from "../processes/gatehouse.js";
import { longestTurnMs } from "./longest-turn.js";
import type { SendStallRequest } from "./stall-request.js";
import { stallTarget } from "./stall-target.js";

/** A request that takes longer is abandoned. */
const limitMs = 60_000;
/** Time in milliseconds to observe after an answer: the rest of a request's work may still hold the server up. */
const tailMs = 100;

/** Effect of one request on the latency of others. */
export interface Stall {
  /**
   * The longest time that a small request had to wait meanwhile, less what one takes otherwise. Milliseconds. When other
   * work on the machine made it wait, it is the longest that the server worked at a stretch.
   */
  readonly worstMs: number;
  /** Outcome of the request itself. */
  readonly outcome: string;
  readonly serverEnded: boolean;
}

/** Sends the request to a server that is idle otherwise, while the probe asks it a small thing again and again. */
export async function measureStall(
  gatehouse: Gatehouse,
  probe: Child<LatencyProbeOperations>,
  certificates: Certificates,
  send: SendStallRequest,
  turnFile: string,
): Promise<Stall> {
  const base = (await probe.call("seen", undefined)).median;
  await longestTurnMs(gatehouse, turnFile);
  await probe.call("reset", undefined);
  const ending = new AbortController();
  const sent = send(stallTarget(gatehouse.port, certificates, ending.signal)).catch(
    (error: Error) => `failed: ${error.message}`,
  );
  const outcome = await Promise.race([
    sent,
    sleep(limitMs, `abandoned after ${limitMs / 1000} s`, { ref: false }),
    gatehouse.ended.then(() => "the server has ended"),
  ]);
  await sleep(tailMs);
  const { worst } = await probe.call("seen", undefined);
  const turnMs = await longestTurnMs(gatehouse, turnFile);
  ending.abort();
  return { worstMs: Math.min(turnMs, Math.max(0, worst - base)), outcome, serverEnded: gatehouse.hasEnded() };
}
