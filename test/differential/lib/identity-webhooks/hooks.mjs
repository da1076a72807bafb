// The webhooks for tokens, access and images of both servers of start-with-identity-webhooks.mjs (HOOKS), and what is compared of
// an answer: with the calls that led to it, and what the audit log says of it.
import { readFileSync } from "node:fs";
import https from "node:https";
import { AuditLogs } from "../audit-log.mjs";
import { comparable } from "../comparable.mjs";
import { sizesFrom } from "../expressions/phases.mjs";
import { Random } from "../random.mjs";
import { StandIn } from "../webhook-reviews/stand-in.mjs";

const { AUDIT_LOGS = "", HOOKS = "" } = process.env;
const logs = new AuditLogs(AUDIT_LOGS.split(",").filter((file) => file !== ""));

/** Time in milliseconds after which an answer has no event. */
const patienceMs = 500;

/** Annotations that only one of the servers makes, or that tell of times. */
const others = /^(?:why\.authorization\.gatehouse\.dev|apiserver\.latency\.k8s\.io)/;

/** Time in milliseconds that a request may take: that of two calls of a webhook that never answers. */
const maxMs = 65_000;

/** Headers of calls that are the transport's. */
const transportHeaders = new Set(["host", "connection"]);

/** The servers remember answers, also those to an earlier run. */
const run = Date.now() % 1e8;

/**
 * Yields as many cases as COUNT says, of REQUESTS requests each, for sides that it gives their webhooks. `caseOf(r, { name, key, length })`
 * draws one by the numbers `r`, which begin with SEED and are others for each `salt`; calls are about the key.
 */
export async function* drawnCases(sides, { salt, ...sizes }, caseOf) {
  const { seed, count, requests } = sizesFrom(process.env, sizes);
  await giveHooks(...sides);
  for (let index = 0; index < count; index++) {
    const name = `k${seed}-${index}`;
    yield caseOf(new Random(seed * salt + index), { name, key: `${name}-${run}`, length: requests });
  }
}

/**
 * Gives both sides their webhooks: requests with a `key` and `answers`, by the names of the webhooks, tell these what to answer to calls
 * about the key, and get the calls with their answers.
 */
async function giveHooks(right, left) {
  const [key, cert, ...ports] = HOOKS.split(",");
  // The server under test asks once more when a kept connection is lost (decision 0020), so that none is kept.
  const files = { key: readFileSync(key), cert: readFileSync(cert), requestsPerConnection: 1 };
  for (const [index, side] of [left, right].entries()) await giveHook(side, { ...files, port: Number(ports[index]) });
}

async function giveHook(side, place) {
  const keyOf = ({ review }) => /k\d+-\d+-\d+/.exec(JSON.stringify(review.spec))?.[0];
  const standIn = await StandIn.start(keyOf, (review) => ({ body: JSON.stringify(usual(review)) }), place);
  const asAdmin = side.request;
  const asNobody = clientWithoutCertificate(side.server);
  side.request = async ({ key, answers, ...request }) => {
    if (key === undefined) return asAdmin(request);
    const counts = {};
    standIn.expect(key, ({ path, review }) => {
      const [, name] = /^\/(\w+)/.exec(path) ?? [];
      counts[name] = (counts[name] ?? -1) + 1;
      return answers[name]?.(review, counts[name]);
    });
    const answered = await (request.as === "none" ? asNobody(request) : asAdmin({ ...request, maxMs }));
    return { ...answered, calls: standIn.take(key).map(callView), hook: `127.0.0.1:${place.port}` };
  };
}

/** Returns the answer to calls about which nothing is said: access and images are allowed, and no token is known. */
function usual({ apiVersion, kind }) {
  return { apiVersion, kind, status: { allowed: kind !== "TokenReview" } };
}

function callView({ method, path, headers, text, answer }) {
  const kept = Object.entries(headers).filter(([name]) => !transportHeaders.has(name));
  return { method, path, headers: Object.fromEntries(kept.sort()), text, answer: answerView(answer) };
}

/** Returns what was answered, for whoever reads a difference. */
function answerView(answer) {
  if (typeof answer === "string") return answer;
  const { status = 200, headers, body = "", cut } = answer;
  return { status, headers, body: (cut ?? body).toString().slice(0, 1000), isCut: cut !== undefined };
}

/**
 * Returns the function that sends a request without a client certificate: webhooks that fail are slow, so that more connections
 * are needed than other areas use.
 */
function clientWithoutCertificate(server) {
  const agent = new https.Agent({ maxSockets: 64, rejectUnauthorized: false });
  return ({ method, path, headers, body }) =>
    new Promise((resolve) => {
      const framed = body === undefined ? headers : { ...headers, "content-length": Buffer.byteLength(body) };
      const request = https.request(`https://${server}${path}`, { agent, method, headers: framed, timeout: maxMs });
      request.on("error", (error) => resolve({ status: 0, headers: {}, body: Buffer.alloc(0), error: error.code }));
      request.on("response", async (message) => {
        const chunks = await message.toArray();
        resolve({ status: message.statusCode, headers: message.headers, body: Buffer.concat(chunks) });
      });
      request.end(body);
    });
}

/** Returns what is compared of an answer to a request with a key. */
export function view(answer) {
  const text = answer.body.toString().replaceAll(answer.hook, "HOOK");
  return {
    body: withSortedRules(comparable({ body: withoutChance(text) })),
    warnings: answer.headers.warning,
    event: eventView(answer),
    calls: answer.calls,
  };
}

/** The rules that a user has come in any order. */
function withSortedRules(body) {
  if (body?.kind !== "SelfSubjectRulesReview") return body;
  const sorted = (value) => (Array.isArray(value) ? value.map((item) => JSON.stringify(item)).sort() : value);
  const { nonResourceRules, resourceRules, ...status } = body.status;
  const rules = { nonResourceRules: sorted(nonResourceRules), resourceRules: sorted(resourceRules) };
  return { ...body, status: { ...status, ...rules } };
}

/** Returns a text without ports, and with one of the two ways in which v1.29 tells of a webhook that never answers. */
const withoutChance = (text) =>
  text
    .replaceAll(/127\.0\.0\.1:\d+/g, "ADDRESS")
    .replaceAll("\u00a0", " ")
    .replaceAll(
      "net/http: request canceled (Client.Timeout exceeded while awaiting headers)",
      "context deadline exceeded",
    );

/** Returns who asked, and the annotations, as the audit log has them. Of a 401 it has only a stage that is left out. */
function eventView({ status, headers, hook }) {
  const id = headers["audit-id"];
  const event =
    id === undefined || status === 401
      ? undefined
      : logs.eventsOf(id, (events) => events.length > 0, patienceMs).at(-1);
  if (event === undefined) return undefined;
  const kept = Object.entries(event.annotations ?? {})
    .filter(([name]) => !others.test(name))
    // Of several bindings that allow a request, v1.29 tells any.
    .map(([name, value]) => [name, value.replace(/^RBAC: allowed by .*$/, "RBAC: allowed")]);
  const text = JSON.stringify(Object.fromEntries(kept.sort())).replaceAll(hook, "HOOK");
  const annotations = JSON.parse(withoutChance(text));
  return { user: event.user, impersonatedUser: event.impersonatedUser, annotations };
}
