// Requests for custom kinds whose versions a webhook converts, and what it answers, drawn at random. Compared are the answers to the
// client, what is stored afterwards, and for a read of one object the reviews that were received: v1.29 converts the objects of
// a list one by one, and what is written once more for the watch cache of each version. Each object is changed before it is
// asked for, since the server under test keeps what has been converted once. Both servers are those of
// start-with-policies.mjs. COUNT is the number of sequences, REQUESTS the length of each, SEED which.
import { comparable } from "../lib/comparable.mjs";
import { drawAnswer } from "../lib/conversion-reviews/answers.mjs";
import {
  collectionOf,
  definitions,
  group,
  kindOf,
  plurals,
  specOf,
  truthful,
  versions,
} from "../lib/conversion-reviews/kinds.mjs";
import { sizesFrom } from "../lib/expressions/phases.mjs";
import { prepare, untilBoth } from "../lib/prepare-sides.mjs";
import { Random } from "../lib/random.mjs";
import { StandIn } from "../lib/webhook-reviews/stand-in.mjs";
import { comparableCalls, stableText } from "../lib/webhook-reviews/view.mjs";

export const parallel = 6;
const names = ["a", "b", "c"];

/** Time in milliseconds after which the watch caches of v1.29 have converted what was written. */
const settleMs = 200;

/** Cases for a runner of differential areas. */
export async function* cases(...sides) {
  const { seed, count, requests } = sizesFrom(process.env, { count: 200, requests: 6 });
  for (const side of sides) await giveWebhook(side);
  await prepare(
    sides,
    definitions.map((body) => ({ path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", body })),
  );
  for (const { metadata } of definitions) {
    // The webhook of an earlier run is gone.
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${metadata.name}`;
    const { spec } = definitions.find((other) => other.metadata === metadata);
    for (const side of sides) {
      const headers = { "content-type": "application/merge-patch+json" };
      await side.request({
        method: "PATCH",
        path,
        headers,
        body: JSON.stringify({ spec: { conversion: spec.conversion } }),
      });
    }
  }
  for (const plural of plurals) {
    for (const version of versions) {
      await untilBoth(
        sides,
        { method: "GET", path: collectionOf(plural, version, "default") },
        ({ status }) => status === 200,
      );
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  for (let index = 0; index < count; index++) yield caseOf(seed, index, requests);
}

/** Gives a side a webhook of its own, which answers the truth to all but the requests with an `answer`. */
async function giveWebhook(side) {
  const keyOf = ({ review }) => review.request.objects[0]?.metadata?.namespace;
  const standIn = await StandIn.start(keyOf, truthful);
  const caBundle = Buffer.from(standIn.certificatePem).toString("base64");
  const ask = side.request;
  side.request = async ({ key, answer, body, afterMs = 0, ...request }) => {
    if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs));
    if (key !== undefined) standIn.expect(key, ({ review }) => answer?.(review));
    const filled =
      typeof body === "string" ? body.replaceAll("{{HOOK}}", standIn.url).replaceAll("{{CA}}", caBundle) : body;
    const answered = await ask({ ...request, body: filled });
    return {
      ...answered,
      stable: stableText({ url: standIn.url, caBundle }),
      calls: key === undefined ? [] : standIn.take(key),
    };
  };
}

function caseOf(seed, index, length) {
  const r = new Random(seed * 900_007 + index);
  const subject = { key: `c${seed}-${index}`, plural: r.pick(plurals) };
  const before = [
    { method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: subject.key } } },
    ...names.map((name) => ({
      method: "POST",
      path: `${pathOf(subject, r.pick(versions))}?fieldManager=maker`,
      body: {},
      made: name,
    })),
  ];
  for (const step of before.slice(1)) {
    const version = step.path.split("/")[3];
    step.body = objectOf(r, subject, version, step.made);
  }
  const steps = Array.from({ length }, (_, nth) => drawSteps(r, subject, nth)).flat();
  return {
    name: `${subject.plural} ${subject.key}`,
    steps: [
      ...before.map((step) => ({ ...step, quiet: true })),
      ...steps,
      { method: "GET", path: pathOf(subject, "v1"), label: "stored", view },
    ],
  };
}

const pathOf = ({ plural, key }, version, name) =>
  `${collectionOf(plural, version, key)}${name === undefined ? "" : `/${name}`}`;

function objectOf(r, { plural }, version, name) {
  return {
    apiVersion: `${group}/${version}`,
    kind: kindOf(plural),
    metadata: { name, ...(r.chance(0.4) && { labels: { a: r.pick(["1", "2"]) } }) },
    spec: specOf(version, r.pick(["h", "i"]), r.chance(0.4) ? 81 : undefined),
  };
}

function drawSteps(r, subject, nth) {
  const version = r.pick(versions);
  const name = r.pick(names);
  const path = pathOf(subject, version, name);
  const steps = r.pick([read, read, list, create, replace, merge, json, apply, apply, status, remove])({
    ...{ r, subject, version, name, path, nth },
  });
  const last = steps.at(-1);
  const isRead = /^(?:get|list|create|delete)/.test(last.label);
  const touched = last.label.startsWith("list") ? names : [name];
  // A write begins with what the watch cache of v1.29 has converted by then.
  const known = isRead ? [] : [{ method: "GET", path, quiet: true }];
  return [
    ...touched.map((each) => touch(pathOf(subject, "v1", each), nth)),
    ...known,
    ...steps.slice(0, -1),
    {
      ...last,
      afterMs: settleMs,
      key: subject.key,
      view: last.seesCalls ? viewWithCalls : view,
      ...(r.chance(0.75) && { answer: drawAnswer(r) }),
    },
  ];
}

/** Changes an object in the stored version. */
const touch = (path, nth) => ({
  method: "PATCH",
  path: `${path}?fieldManager=toucher`,
  headers: { "content-type": "application/merge-patch+json" },
  body: JSON.stringify({ metadata: { annotations: { nth: String(nth) } } }),
  quiet: true,
});

const read = ({ path, version }) => [{ method: "GET", path, label: `get ${version}`, seesCalls: true }];

/** One object: the answer to a review of several is another one than those to reviews of each. */
const list = ({ subject, version }) => [
  { method: "GET", path: `${pathOf(subject, version)}?limit=1`, label: `list ${version}` },
];

const create = ({ r, subject, version, nth }) => [
  {
    method: "POST",
    path: `${pathOf(subject, version)}${r.pick(["", "?dryRun=All"])}`,
    label: `create ${version}`,
    body: objectOf(r, subject, version, `n${nth}`),
  },
];

const replace = ({ r, path, version, spec = specOf(version, r.pick(["j", "k"]), 82) }) => [
  { method: "GET", path, quiet: true, save: { object: "" } },
  {
    method: "PUT",
    path: `${path}?fieldManager=maker`,
    label: `update ${version}`,
    body: ({ object }) => ({ ...object, spec }),
  },
];

const patch = (path, version, type, body, label) => [
  {
    method: "PATCH",
    path,
    headers: { "content-type": type },
    body: JSON.stringify(body),
    label: `${label} ${version}`,
  },
];

const merge = ({ r, path, version }) =>
  patch(
    `${path}?fieldManager=maker`,
    version,
    "application/merge-patch+json",
    { spec: specOf(version, r.pick(["j", "k"])) },
    "merge",
  );

const json = ({ path, version }) =>
  patch(
    path,
    version,
    "application/json-patch+json",
    [{ op: "add", path: "/metadata/labels", value: { b: "1" } }],
    "json",
  );

const apply = ({ r, subject, path, version, name }) =>
  patch(
    `${path}?fieldManager=applier&force=true`,
    version,
    "application/apply-patch+yaml",
    objectOf(r, subject, version, name),
    "apply",
  );

const status = ({ path, version }) =>
  patch(`${path}/status`, version, "application/merge-patch+json", { status: { phase: "A" } }, "status");

const remove = ({ r, path, version }) => [
  { method: "DELETE", path: `${path}${r.pick(["", "?dryRun=All"])}`, label: `delete ${version}` },
];

function view({ stable, body }) {
  const seen = comparable({ body: stable(body.toString()) });
  if (typeof seen !== "object") return seen;
  if (seen.status === "Failure") seen.message = comparableMessage(seen.message);
  if (seen.metadata?.continue) seen.metadata.continue = "TOKEN";
  return seen;
}

const viewWithCalls = (answer) => ({ body: view(answer), calls: comparableCalls(answer.calls, answer.stable) });

/** Returns a message without the version that is converted first where both are needed, and without the index of an object. */
function comparableMessage(message = "") {
  return message
    .replaceAll(/(webhook for|expected) conversions\.example\.com\/v\d/g, "$1 VERSION")
    .replace(/received conversions\.example\.com\/v\d\)/, "received VERSION)")
    .replace(/returned invalid (converted )?object at index \d+:/, "returned invalid object:")
    .replace(/ in object at index \d+:/, ":")
    .replace(/\d objects, expected \d/, "COUNT objects")
    .replace(/(must have the same name: ).*? != /, "$1NAME != ")
    .replace(/(Object 'Kind' is missing in) '\{.+\}'$/s, "$1 OBJECT");
}
