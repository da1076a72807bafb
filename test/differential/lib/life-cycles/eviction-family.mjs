// Evictions of pods that budgets protect, or do not.
import { deleteOptions, deleteQuery } from "./delete-options.mjs";
import { kindOf } from "./kinds.mjs";
import { anyStep, create, read, send } from "./steps.mjs";
import { subjectOf } from "./subjects.mjs";

/** Draws the subjects and the steps of a sequence. */
export function evictionSteps(r, namespace) {
  const subject = (kind, key) => subjectOf(kindOf(kind), { key, base: key, namespace });
  const pods = ["p0", "p1"].slice(0, 1 + r.int(2)).map((key) => subject("Pod", key));
  const budgets = ["b0", "b1"].slice(0, r.pick([0, 1, 1, 1, 1, 2])).map((key) => subject("PodDisruptionBudget", key));
  const subjects = [...pods, ...budgets];
  const step = () => r.pick([eviction, eviction, eviction, phase, allowance, any])(r, { pods, budgets, subjects });
  return {
    subjects,
    steps: [...subjects.flatMap((one) => create(r, one, [])), ...Array.from({ length: 4 + r.int(8) }, step).flat()],
  };
}

function eviction(r, { pods }) {
  const { key, path, name } = r.pick(pods);
  const options = validOptions(deleteOptions(r, key, "policy/v1"));
  const body = {
    apiVersion: r.pick(["policy/v1", "policy/v1", "policy/v1", "policy/v1beta1", "v1"]),
    kind: "Eviction",
    metadata: { name: r.chance(0.93) ? name : r.pick(["other", undefined]) },
    ...(options !== undefined && { deleteOptions: options }),
  };
  return [read({ key, path }), send("POST", `${path}/eviction${r.chance(0.2) ? deleteQuery(r) : ""}`, body)];
}

/** Returns options without those that v1.29 refuses only after it has charged the budget (docs/decisions/0032). */
function validOptions(options) {
  const { propagationPolicy, orphanDependents: _, dryRun, ...rest } = options ?? {};
  return (
    options && {
      ...rest,
      ...(propagationPolicy === "Foreground" && { propagationPolicy }),
      ...(dryRun?.[0] === "All" && { dryRun: ["All"] }),
    }
  );
}

function phase(r, { pods }) {
  const phase = r.pick(["Running", "Running", "Pending", "Succeeded", "Failed"]);
  const isReady = r.chance(0.6) ? "True" : "False";
  return [
    send(
      "PATCH",
      `${r.pick(pods).path}/status`,
      { status: { phase, conditions: [{ type: "Ready", status: isReady }] } },
      "merge",
    ),
  ];
}

function allowance(r, { budgets, ...rest }) {
  if (budgets.length === 0) return any(r, rest);
  const status = {
    disruptionsAllowed: r.pick([0, 1, 1, 2]),
    observedGeneration: r.pick([0, 1, 1, 1, 2]),
    currentHealthy: r.int(3),
    desiredHealthy: r.int(2),
    expectedPods: 1,
    ...(r.chance(0.1) && { disruptedPods: { p0: "2024-01-01T00:00:00Z" } }),
  };
  return [send("PATCH", `${r.pick(budgets).path}/status`, { status }, "merge")];
}

const any = (r, { subjects }) => anyStep(r, r.pick(subjects), []);
