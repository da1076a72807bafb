// The families of drawn sequences: of any kind, and of kinds whose lives have rules of their own. Each draws the steps of a
// sequence in a namespace, whose name begins the names of its objects without a namespace.
import { definitionSteps } from "./definition-family.mjs";
import { evictionSteps } from "./eviction-family.mjs";
import { kinds } from "./kinds.mjs";
import { namespaceSteps } from "./namespace-family.mjs";
import { quotaSteps } from "./quota-family.mjs";
import { requestSteps } from "./request-family.mjs";
import { anyStep, create, send } from "./steps.mjs";
import { subjectOf } from "./subjects.mjs";
import { tokenSteps } from "./token-family.mjs";
import { watchView } from "./view.mjs";

/** Makes the namespace of a sequence; `$start` is the version at which its watches begin. */
const begin = (namespace) => ({
  ...send("POST", "/api/v1/namespaces", { metadata: { name: namespace } }),
  quiet: true,
  save: { start: "metadata.resourceVersion" },
});

/** Reads what remains of the subjects, and what watches tell of their lives. */
function end(r, subjects) {
  const watches = new Map();
  for (const { kind, collection, name } of subjects) {
    const selector = kind.isOfCluster
      ? `&fieldSelector=metadata.name=${name}`
      : r.pick(["", "", "&labelSelector=app=s"]);
    const path = `${collection}?watch=1&resourceVersion=$start&timeoutSeconds=1${selector}`;
    watches.set(kind.isOfCluster ? `${collection}/${name}` : collection, path);
  }
  return [
    ...subjects.map(({ path }) => send("GET", path)),
    ...[...watches.values()].map((path) => ({ ...send("GET", path), label: "watch", view: watchView })),
  ];
}

/** Draws the whole sequence of a family. `draw` returns the subjects and the steps about them. */
function sequence(r, namespace, draw) {
  const { subjects, steps } = draw(r, namespace);
  return [begin(namespace), ...steps, ...end(r, subjects)];
}

/** Draws the life of objects of the kinds. */
function lifeOf(r, namespace, chosen) {
  const subjects = chosen.map((kind, at) => {
    const base = kind.isOfCluster ? `${namespace}-${at}` : r.pick(["a", "b"]) + at;
    // No more than one, so that lists have an order.
    const isGenerated = at === 0 && kind.named === undefined && r.chance(0.08);
    return subjectOf(kind, { key: `s${at}`, base: isGenerated ? `$s${at}name` : base, namespace });
  });
  const made = subjects.flatMap((subject) => (r.chance(0.95) ? create(r, subject, subjects) : []));
  const steps = Array.from({ length: 3 + r.int(9) }, () => anyStep(r, r.pick(subjects), subjects));
  return { subjects, steps: [...made, ...steps.flat()] };
}

function companions(r, kind) {
  const second = r.chance(0.4) ? [r.chance(0.4) ? kind : r.pick(kinds)] : [];
  return [kind, ...second, ...(r.chance(0.1) ? [r.pick(kinds)] : [])];
}

const frequent = new Set(["Pod", "Service", "ConfigMap", "Widget"]);
const special = {
  evictions: [evictionSteps, 5],
  namespaces: [namespaceSteps, 4],
  definitions: [definitionSteps, 1],
  requests: [requestSteps, 2],
  tokens: [tokenSteps, 1],
  quotas: [quotaSteps, 1],
};

/** Families: their names, how often they are drawn, and how. */
export const families = [
  ...kinds.map((kind) => ({
    name: `${kind.apiVersion} ${kind.kind}`,
    weight: frequent.has(kind.kind) ? 2 : 1,
    draw: (r, namespace) => sequence(r, namespace, () => lifeOf(r, namespace, companions(r, kind))),
  })),
  ...Object.entries(special).map(([name, [draw, weight]]) => ({
    name,
    weight,
    draw: (r, namespace) => sequence(r, namespace, draw),
  })),
];
