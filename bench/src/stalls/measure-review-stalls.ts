import type { BenchEnvironment } from "../bench-environment.js";
import { startReviewServer } from "../processes/review-server.js";
import { longestTurnMs, turnFileOf, withTurnMeter } from "./longest-turn.js";
import { type StallRow, stallLimitMs } from "./measure-stalls.js";
import type { ReviewStallRequest } from "./review-requests.js";
import { stallTarget } from "./stall-target.js";

const hook = "no-latest-tag.stall.example.com";
const configuration = {
  apiVersion: "config.gatehouse.dev/v1alpha1",
  kind: "AdmissionServerConfiguration",
  hooks: [{ name: hook, library: { noLatestTag: {} } }],
};
/** The shortest of several measurements has the least of the machine's other work in it. */
const attempts = 3;

/** Sends each review to a server of the toolkit and tells how long its main thread worked on it at a stretch. */
export async function* measureReviewStalls(
  environment: BenchEnvironment,
  requests: readonly ReviewStallRequest[],
): AsyncGenerator<StallRow> {
  if (requests.length === 0) {
    return;
  }
  const turnFile = turnFileOf(await environment.makeDirectory());
  await using server = await startReviewServer(
    withTurnMeter(environment, turnFile),
    "gatehouse-admission",
    configuration,
  );
  const process = { pid: server.pid, hasEnded: () => false };
  const target = stallTarget(server.port, environment.certificates, new AbortController().signal);
  for (const { name, makeBody } of requests) {
    const body = Buffer.from(makeBody());
    let worstMs = Number.POSITIVE_INFINITY;
    let outcome = "";
    for (let attempt = 0; attempt < attempts; attempt++) {
      await longestTurnMs(process, turnFile);
      const headers = { "content-type": "application/json" };
      outcome = await target.send({ method: "POST", path: `/validating/${hook}`, headers, body });
      worstMs = Math.min(worstMs, await longestTurnMs(process, turnFile));
    }
    yield { name, worstMs, outcome, isMet: worstMs <= stallLimitMs };
  }
}
