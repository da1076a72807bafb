// Custom kinds with rules, written by hand and drawn at random: their definitions, and objects that are created, changed
// and deleted.
import { viewOf } from "../lib/expressions/answers.mjs";
import { inPhases, quietly, sizesFrom } from "../lib/expressions/phases.mjs";
import { Random } from "../lib/random.mjs";
import { byHand } from "../lib/rules/by-hand.mjs";
import { drawSchema, drawValue } from "../lib/rules/drawn.mjs";

export const parallel = 4;
const namespace = "rules";
const group = "rules.example.com";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const types = {
  merge: "application/merge-patch+json",
  json: "application/json-patch+json",
  apply: "application/apply-patch+yaml",
};

/** Time in milliseconds until both servers serve the kinds of a batch. */
const settleMs = 5_000;
const batch = 40;

/** Cases for a runner of differential areas. `SEED`, `COUNT` (of drawn definitions) and `REQUESTS` choose others. */
export async function* cases() {
  yield* inPhases(phases(sizesFrom(process.env, { count: 300, requests: 11 })));
}

/** Returns the phases of the area: `count` drawn definitions beside those by hand, and `requests` for each of these. */
export function phases({ seed, count, requests: requestCount }) {
  const subjects = [...subjectsOf(seed, count, requestCount)];
  const result = [{ cases: [quietly("namespace", common)] }];
  for (let from = 0; from < subjects.length; from += batch) {
    const some = subjects.slice(from, from + batch);
    result.push(
      {
        cases: some.map(({ name, served, definition }) => ({
          name: `definition of ${name}`,
          served,
          steps: [definition],
        })),
        settleMs,
      },
      { cases: some.map(({ name, requests }) => ({ name: `objects of ${name}`, independent: true, steps: requests })) },
    );
  }
  return result;
}

/** Requests for what all kinds share. */
export const common = [{ method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: namespace } } }];

/** Yields the kinds: `definition` to create, and `requests`. */
export function* subjectsOf(seed, count, requestCount) {
  for (const [index, { name, spec, values }] of byHand.entries())
    yield subjectOf(
      `h${index}`,
      `by hand: ${name}`,
      spec,
      values.length === 0 ? [] : requestsInOrder(`h${index}`, values),
    );
  for (let index = 0; index < count; index++) {
    const r = new Random(seed * 300_007 + index);
    const id = `d${seed}x${index}`;
    const options = { bounds: r.pick([1, 1, 1, 0.8]), odd: r.pick([0, 0, 0, 0.02]) };
    const spec = drawSchema(r, options);
    yield subjectOf(
      id,
      `drawn ${index}`,
      spec,
      Array.from({ length: requestCount }, (_, at) => drawRequest(r, id, spec, at)),
    );
  }
}

const view = viewOf();
const compared = (step) => ({ ...step, view: step.view ?? view, exceptHeaders: ["warning"] });

function subjectOf(id, name, spec, requests) {
  const kind = id.toUpperCase();
  const body = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${id}s.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: `${id}s`, kind },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: "object", properties: { spec, status: withoutRules(spec) } } },
        },
      ],
    },
  };
  return {
    name,
    served: pathOf(id),
    definition: compared({ method: "POST", path: definitions, body, view: withoutStatus }),
    requests: requests.map(compared),
  };
}

/** The schema of the status: that of the spec without its rules, which would cost twice as much otherwise. */
const withoutRules = (spec) =>
  JSON.parse(JSON.stringify(spec, (name, value) => (name === "x-kubernetes-validations" ? undefined : value)));

/** Returns the view of a definition without what controllers write. */
function withoutStatus(answer) {
  const seen = view(answer);
  const { status: _, ...body } = seen.body;
  return body.kind === "Status" ? withoutChance(seen) : { ...seen, body };
}

/**
 * Returns a refusal without addresses of Go's memory, the names that it gives to types, in each run other ones, and the
 * places of the four rules that cost most: of those that cost the same, v1.29 names any, since it walks properties in the
 * order of a Go map.
 */
function withoutChance(seen) {
  const text = JSON.stringify(seen)
    .replaceAll(/\(0x[0-9a-f]+\)/g, "(ADDRESS)")
    .replaceAll(/selfType\d+/g, "selfType")
    .replaceAll(/(contributed to estimated rule cost total[^"]*\\",\\"field\\":\\")[^"\\]*/g, "$1ANY");
  return JSON.parse(text);
}

const pathOf = (id, name) => `/apis/${group}/v1/namespaces/${namespace}/${id}s${name === undefined ? "" : `/${name}`}`;
const objectOf = (id, name, value) => ({
  apiVersion: `${group}/v1`,
  kind: id.toUpperCase(),
  metadata: { name },
  ...value,
});
const json = { "content-type": "application/json" };
const merge = (path, body) => ({ method: "PATCH", path, headers: { "content-type": types.merge }, body });

/** Creates an object of every value, then gives one object all of them. */
function requestsInOrder(id, values) {
  return [
    ...values.map((spec, index) => ({
      method: "POST",
      path: pathOf(id),
      headers: json,
      body: objectOf(id, `o${index}`, { spec }),
    })),
    ...[...values, ...values.toReversed()].map((spec) => merge(pathOf(id, "o0"), { spec })),
    ...values.map((status) => merge(`${pathOf(id, "o0")}/status`, { status })),
    {
      method: "PATCH",
      path: `${pathOf(id, "o1")}?fieldManager=m&force=true`,
      headers: { "content-type": types.apply },
      body: objectOf(id, "o1", { spec: values[0] }),
    },
    {
      method: "PATCH",
      path: pathOf(id, "o0"),
      headers: { "content-type": types.json },
      body: [{ op: "replace", path: "/spec", value: values[1] }],
    },
    { method: "DELETE", path: pathOf(id, "o0") },
  ];
}

function drawRequest(r, id, schema, index) {
  const name = r.pick(["a", "b"]);
  const spec = drawValue(r, schema);
  const create = () => ({
    method: "POST",
    path: pathOf(id),
    headers: json,
    body: objectOf(id, index < 2 ? ["a", "b"][index] : name, { spec }),
  });
  if (index < 2) return create();
  return r.pick([
    create,
    () => ({ ...create(), path: `${pathOf(id)}?dryRun=All`, body: objectOf(id, "c", { spec }) }),
    () => merge(pathOf(id, name), { spec }),
    () => merge(pathOf(id, name), { spec }),
    () => merge(pathOf(id, name), { metadata: { labels: { x: r.pick(["a", "b"]) } } }),
    () => merge(`${pathOf(id, name)}/status`, { status: spec }),
    () => ({
      method: "PATCH",
      path: `${pathOf(id, name)}?fieldManager=m&force=true`,
      headers: { "content-type": types.apply },
      body: objectOf(id, name, { spec }),
    }),
    () => ({
      method: "PATCH",
      path: pathOf(id, name),
      headers: { "content-type": types.json },
      body: [{ op: "replace", path: "/spec", value: spec }],
    }),
    () => ({ method: "DELETE", path: pathOf(id, name) }),
  ])();
}
