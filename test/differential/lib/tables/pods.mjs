// Pods in all states of their containers, for tables.

import { anyText, conditions, count, maybe, several, time, word } from "./values.mjs";

const images = ["nginx", "redis:7", "r.example.com:5000/a/b@sha256:c", "a b", "<none>", "ü"];

/** Containers of a pod or a template. */
export const containers = (r, names = ["c1", "c2", "c3"]) =>
  names.slice(0, 1 + r.int(names.length)).map((name) => ({ name, image: r.pick(images) }));

const stateOf = (r) =>
  r.pick([
    () => ({}),
    () => ({ waiting: maybe(r, 0.8, () => ({ reason: r.pick(["PodInitializing", "ContainerCreating", word(r), anyText(r)]) })) }),
    () => ({ running: maybe(r, 0.5, () => ({ startedAt: time(r) })) }),
    () => ({ terminated: terminated(r) }),
  ])(); // biome-ignore format: one state a line

const terminated = (r) => ({
  exitCode: r.pick([0, 0, 1, 137, -1, 255]),
  ...maybe(r, 0.4, () => ({ signal: r.pick([0, 9, 15]) })),
  ...maybe(r, 0.5, () => ({ reason: r.pick(["Completed", "Completed", "Error", anyText(r)]) })),
  ...maybe(r, 0.7, () => ({ finishedAt: time(r), startedAt: time(r) })),
});

const containerStatus = (r, name, image) => ({
  name,
  image,
  imageID: "",
  ready: r.chance(0.6),
  restartCount: count(r),
  ...maybe(r, 0.8, () => ({ state: stateOf(r) })),
  ...maybe(r, 0.5, () => ({ lastState: r.chance(0.8) ? { terminated: terminated(r) } : stateOf(r) })),
  ...maybe(r, 0.5, () => ({ started: r.pick([true, false, null]) })),
});

/** Statuses of containers of the spec: v1.29 fails for others. */
const statusesOf = (r, list = []) => {
  const shown = r.some(list, r.pick([1, 0.7, 0.4])).map(({ name, image }) => containerStatus(r, name, image));
  return r.chance(0.1) ? shown.concat(shown) : shown;
};

const types = ["Ready", "Initialized", "PodScheduled", "ContainersReady", "example.com/gate", "example.com/other"];

function podConditions(r) {
  const drawn = conditions(r, types);
  return drawn.map((condition) =>
    condition.type === "PodScheduled" && r.chance(0.5) ? { ...condition, reason: "SchedulingGated" } : condition,
  );
}

/** Pods, as objects and as statuses of them. */
export const podKinds = [
  {
    paths: ["/api/v1/pods"],
    kind: "Pod",
    isDeleted: 0.3,
    draws: 6,
    object: (r) => ({
      spec: {
        containers: containers(r),
        ...maybe(r, 0.5, () => ({
          initContainers: containers(r, ["i1", "i2", "i3"]).map((container) => ({
            ...container,
            ...maybe(r, 0.4, () => ({ restartPolicy: "Always" })),
          })),
        })),
        ...maybe(r, 0.5, () => ({ nodeName: r.pick(["n1", "node.example.com"]) })),
        ...maybe(r, 0.4, () => ({
          readinessGates: several(r, 3, () => ({ conditionType: r.pick(types) })),
        })),
        ...maybe(r, 0.3, () => ({ restartPolicy: r.pick(["Never", "OnFailure"]) })),
      },
    }),
    status: (r, { spec }) => ({
      ...maybe(r, 0.8, () => ({ phase: r.pick(["Pending", "Running", "Succeeded", "Failed", "Unknown", "Odd"]) })),
      ...maybe(r, 0.3, () => ({ reason: r.pick(["NodeLost", "Evicted", "Completed", anyText(r)]) })),
      ...maybe(r, 0.7, () => ({ conditions: podConditions(r) })),
      ...maybe(r, 0.8, () => ({ containerStatuses: statusesOf(r, spec.containers) })),
      ...maybe(r, 0.8, () => ({ initContainerStatuses: statusesOf(r, spec.initContainers) })),
      ...maybe(r, 0.3, () => ({ nominatedNodeName: r.pick(["n2", "", "n3"]) })),
      ...maybe(r, 0.4, () =>
        r.pick([
          { podIP: "1.2.3.4" },
          { podIPs: [{ ip: "1.2.3.4" }] },
          { podIP: "1.2.3.4", podIPs: [{ ip: "1.2.3.4" }, { ip: "fd00::1" }] },
          { podIP: "fd00::1", podIPs: [{ ip: "fd00::1" }] },
          { podIP: "" },
        ]),
      ),
    }),
  },
];
