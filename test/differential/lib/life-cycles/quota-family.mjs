// Objects in a namespace with a quota, whose usage admission counts.
import { kindOf } from "./kinds.mjs";
import { anyStep, create, pause, send } from "./steps.mjs";
import { subjectOf } from "./subjects.mjs";

/** Draws the subjects and the steps of a sequence. */
export function quotaSteps(r, namespace) {
  const quota = subjectOf(kindOf("ResourceQuota"), { key: "q", base: "q", namespace });
  const kind = kindOf(r.pick(["ConfigMap", "Secret", "Service", "Pod", "PersistentVolumeClaim"]));
  const counted = ["x", "y", "z"].map((key) => subjectOf(kind, { key, base: key, namespace }));
  const hard = { [`count/${kind.plural}`]: String(1 + r.int(2)) };
  const used = { [`count/${kind.plural}`]: "0" };
  const body = { metadata: { name: "q" }, spec: { hard } };
  return {
    subjects: [quota, ...counted],
    steps: [
      send("POST", quota.collection, body),
      send("PATCH", `${quota.path}/status`, { status: { hard, used } }, "merge"),
      pause,
      ...counted.flatMap((subject) => create(r, subject, [])),
      ...Array.from({ length: 2 + r.int(5) }, () => anyStep(r, r.pick(counted), [])).flat(),
      pause,
    ],
  };
}
