// Audit events of requests drawn at random: every verb, forms of bodies and answers, callers, and requests that fail in all ways.
// Both servers are those of start-with-audit.mjs, which draws the policy; AUDIT_LOGS names their logs. COUNT is the number of
// requests, SEED which.
import { isJson } from "../lib/audit-events/bodies.mjs";
import { auditId, caller, origin } from "../lib/audit-events/callers.mjs";
import { viewOf } from "../lib/audit-events/events.mjs";
import { fixtures } from "../lib/audit-events/fixtures.mjs";
import { startAuditHook } from "../lib/audit-events/hook.mjs";
import { objectRequest } from "../lib/audit-events/objects.mjs";
import { pathRequest, reviewRequest } from "../lib/audit-events/outside.mjs";
import { rawRequest } from "../lib/audit-events/raw-lines.mjs";
import { subresourceRequest } from "../lib/audit-events/subresources.mjs";
import { Random } from "../lib/random.mjs";

export const parallel = 4;

/** Marks the audit IDs of this run, since logs outlast it. */
const run = Date.now().toString(36);

/** Cases for a runner of differential areas. The fixtures are there before the first, since cases run beside each other. */
export async function* cases(...clients) {
  for (const { method, path, body, headers } of [...fixtures, ...(await startAuditHook())].map(withAgent)) {
    const sent = {
      method,
      path,
      body: JSON.stringify(body),
      headers: { ...headers, "content-type": "application/json" },
    };
    await Promise.all(clients.map((client) => client.request(sent)));
  }
  yield* drawnCases();
}

/** Sequences for recordings: without requests that have a line of their own or come with a certificate, which cannot be sent again. */
export function* sequences() {
  yield { name: "set up", steps: fixtures.map(withAgent) };
  for (const sequence of drawnCases()) {
    const { as, via } = sequence.steps.find(({ quiet }) => !quiet);
    if (as === "none" && via !== "raw") yield sequence;
  }
}

export { comparable } from "../lib/comparable.mjs";

function* drawnCases() {
  const { SEED = "1", COUNT = "1000" } = process.env;
  for (let i = 0; i < Number(COUNT); i++) {
    const r = new Random(Number(SEED) * 1_000_003 + i);
    if (r.chance(0.08)) {
      const step = rawRequest(r, `${run}-${SEED}-${i}`);
      yield {
        name: `${SEED}-${i} raw: ${step.method} ${step.path}`,
        independent: true,
        steps: [{ ...step, view: viewOf(step) }],
      };
      continue;
    }
    const { name, before = [], step, after = [] } = drawnRequest(r, `x${SEED}-${i}`);
    const asked = withCaller(r, step, `${run}-${SEED}-${i}`);
    yield {
      name: `${SEED}-${i} ${name}: ${asked.method} ${asked.path}`,
      independent: true,
      steps: [...before.map(withAgent), asked, ...after.map(withAgent)],
    };
  }
}

/** Objects are owned by the same program, whoever sends the requests. */
function withAgent(step) {
  return { ...step, headers: { ...step.headers, "user-agent": "differential/1.0" } };
}

function drawnRequest(r, id) {
  const chance = r.next();
  if (chance < 0.55) return objectRequest(r, id);
  if (chance < 0.75) return subresourceRequest(r, id);
  if (chance < 0.82) return reviewRequest(r);
  return pathRequest(r);
}

function withCaller(r, { sent, ...step }, id) {
  const { as, headers } = caller(r);
  const ownId = auditId(r, id);
  const isUnreadable = step.body !== undefined && !isJson(step.body);
  return {
    ...step,
    // Bytes, because Node writes headers in the encoding of a text behind them.
    ...(step.body !== undefined && { body: Buffer.from(step.body) }),
    ...(as ? { as } : r.chance(0.5) && { via: "http2" }),
    headers: { ...step.headers, ...origin(r), ...headers, ...(ownId !== undefined && { "audit-id": ownId }) },
    view: viewOf({ method: step.method, sent, isUnreadable }),
  };
}
