// Drawn changes of a world of budgets, each with the time in which controllers take it in, and views of its settled state.
import { eventView } from "../life-cycles/event-view.mjs";
import { pauses, send } from "../life-cycles/steps.mjs";
import { view } from "../life-cycles/view.mjs";
import { changeBudget, labelsOf, makeBudget, makePod, reportPod } from "./budget-worlds.mjs";

/** Seconds in which both servers take a change in. */
const settlingSeconds = 3;

/** Draws a change and the steps that make budgets see it. */
export function drawChange(r, world) {
  const change = r.weighted(changes, ([weight]) => weight)[1];
  return [...change(r, world), ...(world.budgets.length > 1 ? touchBudgets(r, world) : []), ...pauses(settlingSeconds)];
}

const changes = [
  [3, evict],
  [2, (r, { pods }) => [reportPod(r, r.pick(pods))]],
  [1.5, deletePod],
  [1, (r, world) => makePod(r, world, r.pick(world.pods))],
  [1, relabel],
  [1, adopt],
  [2, (r, world) => [changeBudget(r, world, r.pick(world.budgets))]],
  [1, overwrite],
  [0.5, (r, { collections, budgets }) => [send("DELETE", `${collections.budgets}/${r.pick(budgets)}`)]],
  [
    0.3,
    (r, { collections, budgets }) => [
      patch(`${collections.budgets}/${r.pick(budgets)}`, { metadata: { finalizers: [] } }),
    ],
  ],
  [1, (r, world) => [makeBudget(r, world, r.pick(world.budgets))]],
  [2, changeOwner],
];

const patch = (path, body) => send("PATCH", path, body, "merge");

function evict(r, { pods }) {
  const { name, path } = r.pick(pods);
  const deleteOptions = r.pick([undefined, undefined, { dryRun: ["All"] }, { gracePeriodSeconds: 0 }]);
  return [
    send("POST", `${path}/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name }, deleteOptions }),
  ];
}

function deletePod(r, { pods }) {
  const { path } = r.pick(pods);
  return r.pick([
    [send("DELETE", path)],
    [send("DELETE", path, { gracePeriodSeconds: 0 })],
    [patch(path, { metadata: { finalizers: r.pick([[], ["example.com/held"]]) } })],
  ]);
}

/** Gives a pod other labels. v1.29 looks at the budgets that have selected it when these change. */
function relabel(r, world) {
  const labels = { tier: null, ...labelsOf(r) };
  return [patch(r.pick(world.pods).path, { metadata: { labels } }), ...touchBudgets(r, world)];
}

/** Gives a pod another controller, or none. */
function adopt(r, { pods, owners }) {
  const ownerReferences = owners.length > 0 && r.chance(0.7) ? [r.pick(owners).reference] : [];
  return [patch(r.pick(pods).path, { metadata: { ownerReferences } })];
}

/** Writes a status that is wrong. */
function overwrite(r, { collections, budgets }) {
  const condition = { lastTransitionTime: "2024-01-01T00:00:00Z", message: "drawn", reason: "Drawn" };
  const status = r.pick([
    { disruptionsAllowed: 5 },
    { currentHealthy: 7, expectedPods: 9 },
    { observedGeneration: 0 },
    { disruptedPods: { p0: "2024-01-01T00:00:00Z" } },
    { disruptedPods: { p0: justNow(), p1: justNow(), gone: justNow() } },
    { disruptedPods: { p0: justNow(), p1: justNow(), gone: justNow() } },
    { conditions: [] },
    { conditions: [{ ...condition, type: "DisruptionAllowed", status: "True" }] },
    { conditions: [{ ...condition, type: "Drawn", status: "True" }] },
  ]);
  return [patch(`${collections.budgets}/${r.pick(budgets)}/status`, { status })];
}

const justNow = () => `${new Date().toISOString().slice(0, 19)}Z`;

/** Scales a controller of pods or deletes it, which budgets see when their pods change. */
function changeOwner(r, { owners, pods }) {
  if (owners.length === 0) return [];
  const { path, hasScale } = r.pick(owners);
  const change =
    hasScale && r.chance(0.75)
      ? patch(path, { spec: { replicas: r.pick([0, 1, 2, 5]) } })
      : send("DELETE", path, { propagationPolicy: "Background" });
  return [change, ...touch(r, pods)];
}

/** Has controllers look at all budgets: of several that select a pod which changes, v1.29 looks at any one again. */
const touchBudgets = (r, { collections, budgets }) =>
  touch(
    r,
    budgets.map((name) => ({ path: `${collections.budgets}/${name}` })),
  );

/** Changes what no budget depends on in pods or budgets: controllers look at the budgets again. */
const touch = (r, objects) =>
  objects.map(({ path }) => ({
    ...patch(path, { metadata: { annotations: { touched: `${r.int(1e9)}` } } }),
    quiet: true,
  }));

/** Reads the budgets and the pods of a world. */
export const settled = ({ collections }, label) => [
  { ...send("GET", collections.budgets), label: `${label}: budgets`, view: budgetsView },
  { ...send("GET", collections.pods), label: `${label}: pods`, view: podsView },
];

/** Reads what has been told of the budgets of a world. */
export const told = ({ namespace }) => [
  { ...send("GET", `/api/v1/namespaces/${namespace}/events`), label: "events", view: budgetEventView },
];

const byName = (answer, part) =>
  Object.fromEntries((view(answer).items ?? []).map((item) => [item.metadata.name, part(item)]));

const budgetsView = (answer) =>
  byName(answer, ({ metadata, spec, status: { disruptedPods, conditions, ...status } }) => ({
    generation: metadata.generation,
    isGoing: metadata.deletionTimestamp !== undefined,
    spec,
    status: { ...status, ...(disruptedPods && { disruptedPods: Object.keys(disruptedPods) }) },
    conditions: conditions?.map(({ message, ...condition }) => ({ ...condition, message: anyPod(message) })),
  }));

/** Makes a message the same for any pod: v1.29 names one of several without a controller. */
const anyPod = (message) => message.replace(/(for pod \\*")p\d/, "$1POD");

const podsView = (answer) =>
  byName(answer, ({ metadata: { deletionTimestamp }, status }) => ({
    isGoing: deletionTimestamp !== undefined,
    status,
  }));

/** The events without their number: how often a controller looks is its own matter. v1.29 chooses any of several budgets. */
const budgetEventView = (answer) => [
  ...new Set(eventView(answer).map((text) => anyPod(text).replace(/(Chose \\+")b\d/, "$1BUDGET"))),
];
