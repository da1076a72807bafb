// Configurations of webhooks drawn at random, requests that they are about, and what the webhooks answer. Compared are the
// answers to the client with the annotations of audit events, and every call that a webhook has received. Both servers are
// those of start-with-policies.mjs; AUDIT_LOGS names their logs. COUNT is the number of sets of webhooks, REQUESTS that of
// requests to each, SEED which.
import { comparable } from "../lib/comparable.mjs";
import { annotationsOf, warningsOf } from "../lib/expressions/answers.mjs";
import { sizesFrom } from "../lib/expressions/phases.mjs";
import { prepare, untilBoth } from "../lib/prepare-sides.mjs";
import { Random } from "../lib/random.mjs";
import { configurationsOf, drawWebhooks } from "../lib/webhook-reviews/configurations.mjs";
import { collectionOf, definitions, kinds, versionsOf } from "../lib/webhook-reviews/kinds.mjs";
import { drawRequest, objectsOf } from "../lib/webhook-reviews/requests.mjs";
import { StandIn } from "../lib/webhook-reviews/stand-in.mjs";
import { comparableAnnotations, comparableCalls, stableText } from "../lib/webhook-reviews/view.mjs";

export const parallel = 8;

/** Time in milliseconds after which both servers call the webhooks of a new configuration. */
const settleMs = 700;

/** Cases for a runner of differential areas. */
export async function* cases(...sides) {
  const { seed, count, requests } = sizesFrom(process.env, { count: 100, requests: 8 });
  for (const side of sides) await giveWebhook(side);
  await prepare(
    sides,
    definitions.map((body) => ({ path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", body })),
  );
  for (const [resource, kind] of Object.entries(kinds)) {
    for (const version of versionsOf(kind)) {
      const path = collectionOf(resource, version, "default");
      await untilBoth(sides, { method: "GET", path }, ({ status }) => status === 200);
    }
  }
  for (let index = 0; index < count; index++) yield caseOf(seed, index, requests);
}

/** Gives a side a webhook of its own: requests with `answers` tell it what to answer, and get its calls with their answer. */
async function giveWebhook(side) {
  const standIn = await StandIn.start(({ path, review }) => {
    const key = /h\d+-\d+/.exec(path)?.[0];
    return review.request.userInfo.username === userOf(key) ? key : undefined;
  });
  const caBundle = Buffer.from(standIn.certificatePem).toString("base64");
  const ask = side.request;
  side.request = async ({ key, answers, afterMs = 0, body, ...request }) => {
    if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs));
    const counts = new Map();
    const answer = ({ path, review }) => {
      const name = /[mv]\d/.exec(path)?.[0];
      counts.set(name, (counts.get(name) ?? -1) + 1);
      return answers(name, counts.get(name))?.(review);
    };
    if (answers !== undefined) standIn.expect(key, answer);
    const filled =
      typeof body === "string" ? body.replaceAll("{{HOOK}}", standIn.url).replaceAll("{{CA}}", caBundle) : body;
    const answered = await ask({ ...request, body: filled });
    const stable = stableText({ url: standIn.url, caBundle });
    return { ...answered, stable, calls: answers === undefined ? [] : standIn.take(key) };
  };
}

const userOf = (key) => `u-${key}`;

function caseOf(seed, index, requestCount) {
  const r = new Random(seed * 700_001 + index);
  const key = `h${seed}-${index}`;
  const resource = r.pick(Object.keys(kinds));
  const subject = { key, resource, user: userOf(key) };
  const webhooks = drawWebhooks(r, subject);
  const configurations = configurationsOf(r, subject, webhooks);
  const labels = { case: key, ...(r.chance(0.7) && { zone: r.pick(["a", "b"]) }) };
  const before = [
    { method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: key, labels } } },
    ...objectsOf(r, subject),
  ];
  const requests = Array.from({ length: requestCount }, (_, nth) => drawRequest(r, subject, webhooks, nth)).flat();
  requests[0] = { ...requests[0], afterMs: settleMs };
  return {
    name: `${resource} ${key}`,
    steps: [
      ...before.map((step) => ({ ...step, quiet: true })),
      ...configurations.map(({ path, body }) => ({ method: "POST", path, body, view: answerView, label: "configure" })),
      ...requests.map((step) => ({ ...step, key, view, exceptHeaders: ["warning"] })),
      ...configurations.map(({ path, name }) => ({ method: "DELETE", path: `${path}/${name}`, quiet: true })),
    ],
  };
}

function answerView({ stable, body }) {
  return comparable({ body: stable(body.toString()) });
}

/** Returns the annotations of the audit event of an answer; none for a connection that was cut. */
function annotationsIn({ headers }) {
  const id = headers["audit-id"];
  return id === undefined ? {} : comparableAnnotations(annotationsOf(id));
}

/** Validating webhooks are called at the same time: their warnings have any order. */
function view(answer) {
  return {
    body: answerView(answer),
    warnings: warningsOf(answer.headers).sort(),
    annotations: annotationsIn(answer),
    calls: comparableCalls(answer.calls, answer.stable),
  };
}
