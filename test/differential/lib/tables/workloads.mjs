// Workloads and what belongs to them, for tables.

import { containers } from "./pods.mjs";
import {
  amount,
  anyText,
  count,
  labels,
  maybe,
  microTime,
  pointerTime,
  selector,
  several,
  someText,
  time,
  timeSpan,
} from "./values.mjs";

const template = (r, own = {}, restartPolicy) => ({
  metadata: { labels: { ...labels(r), ...own } },
  spec: {
    containers: containers(r),
    ...maybe(r, 0.3, () => ({ nodeSelector: labels(r) })),
    ...(restartPolicy && { restartPolicy }),
  },
});

/** A selector and a template that it selects. */
function selected(r) {
  const extra = r.some([
    { key: "app", operator: "In", values: ["shop", "web", "a"] },
    { key: "zz", operator: "DoesNotExist" },
    { key: "own", operator: "Exists" },
    { key: "app", operator: "NotIn", values: ["z", "b"] },
  ]);
  const own = { app: "shop", own: "" };
  const matchLabels = r.pick([own, { app: "shop" }, {}]);
  return {
    selector: { matchLabels, ...maybe(r, 0.6, () => ({ matchExpressions: extra })) },
    template: { ...template(r), metadata: { labels: own } },
  };
}

const replicas = (r) => maybe(r, 0.7, () => ({ replicas: count(r) }));

/** Numbers of pods, of which there are no more than `replicas`, and no more available ones than ready ones. */
function podCounts(r, ...others) {
  const replicas = count(r);
  const some = (most) => (r.chance(0.3) ? most : r.int(Math.min(most, 20) + 1));
  const readyReplicas = some(replicas);
  return {
    replicas,
    ...maybe(r, 0.8, () => ({ readyReplicas, ...maybe(r, 0.8, () => ({ availableReplicas: some(readyReplicas) })) })),
    ...Object.fromEntries(r.some(others, 0.7).map((name) => [name, some(replicas)])),
  };
}

const counts = (r, names) => Object.fromEntries(r.some(names, 0.7).map((name) => [name, count(r)]));

/** The start and the end of a job, or one of them. */
function jobTimes(r) {
  const { start, end } = timeSpan(r);
  const conditions = [{ type: "Complete", status: "True" }];
  return r.pick([
    () => ({ startTime: start, completionTime: end, conditions }),
    () => ({ startTime: start, completionTime: end, conditions }),
    () => ({ startTime: pointerTime(r), completionTime: pointerTime(r), conditions }),
    () => ({ startTime: pointerTime(r) }),
    () => ({ completionTime: pointerTime(r) }),
    () => ({}),
  ])();
}

const metricTarget = (r) =>
  r.pick([
    () => ({ type: "Value", value: amount(r) }),
    () => ({ type: "AverageValue", averageValue: amount(r) }),
    () => ({ type: "Utilization", averageUtilization: 1 + r.int(200) }),
  ])();
const current = (r) =>
  r.pick([{}, { value: amount(r) }, { averageValue: amount(r) }, { averageUtilization: r.int(300) }]);
const metric = (r) => ({ name: r.pick(["qps", "m-1"]) });
const sources = [
  ["Resource", "resource", () => ({ name: "cpu" })],
  ["ContainerResource", "containerResource", () => ({ name: "memory", container: "c1" })],
  ["Pods", "pods", (r) => ({ metric: metric(r) })],
  [
    "Object",
    "object",
    (r) => ({ metric: metric(r), describedObject: { kind: "Service", name: "s", apiVersion: "v1" } }),
  ],
  ["External", "external", (r) => ({ metric: metric(r) })],
];

/** The targets that validation accepts for a source. */
function acceptedTarget(r, type) {
  const target = metricTarget(r);
  const isShare = type === "Resource" || type === "ContainerResource";
  if (type === "Pods" || (isShare && target.type === "Value")) return { type: "AverageValue", averageValue: "3" };
  return !isShare && target.type === "Utilization" ? { type: "Value", value: "1k" } : target;
}

const metrics = (r) =>
  several(r, 4, () => {
    const [type, member, fields] = r.pick(sources);
    return { type, [member]: { ...fields(r), target: acceptedTarget(r, type) } };
  });

/** Statuses of metrics, most of them of the type of the metric, some of another or of none. */
const currentMetrics = (r, wanted = []) =>
  wanted.slice(0, r.chance(0.3) ? 1 : 5).map((metric) => {
    const [type, member, fields] = r.chance(0.8) ? sources.find(([name]) => name === metric.type) : r.pick(sources);
    return { type, ...maybe(r, 0.9, () => ({ [member]: { ...fields(r), current: current(r) } })) };
  });

/** Metrics in the form in which autoscaling/v1 has them, in an annotation. */
const oldMetrics = (r) =>
  several(r, 3, () =>
    r.pick([
      () => ({ type: "Resource", resource: { name: "memory", targetAverageUtilization: 1 + r.int(99) } }),
      () => ({ type: "Resource", resource: { name: "memory", targetAverageValue: amount(r) } }),
      () => ({
        type: "ContainerResource",
        containerResource: { name: "cpu", container: "c", targetAverageValue: "2" },
      }),
      () => ({ type: "Pods", pods: { metricName: "qps", targetAverageValue: "1500m" } }),
      () => ({ type: "External", external: { metricName: "qps", targetValue: amount(r) } }),
      () => ({ type: "External", external: { metricName: "qps", targetAverageValue: "0.5" } }),
      () => ({
        type: "Object",
        object: { metricName: "qps", target: { kind: "Service", name: "s" }, targetValue: "1k" },
      }),
    ])(),
  );

const autoscaler = (r) => ({
  scaleTargetRef: {
    kind: r.pick(["Deployment", "ReplicaSet", "Çustom"]),
    name: r.pick(["web", "a.b"]),
    apiVersion: "apps/v1",
  },
  maxReplicas: 1 + r.int(20),
  ...maybe(r, 0.5, () => ({ minReplicas: 1 })),
});

/** Kinds of the groups apps, batch, autoscaling and policy, and what core has of the sort. */
export const workloadKinds = [
  {
    paths: ["/apis/apps/v1/deployments"],
    hasScale: true,
    kind: "Deployment",
    object: (r) => ({ spec: { ...selected(r), ...replicas(r) } }),
    status: (r) => podCounts(r, "updatedReplicas"),
  },
  {
    paths: ["/apis/apps/v1/replicasets"],
    hasScale: true,
    kind: "ReplicaSet",
    object: (r) => ({ spec: { ...selected(r), ...replicas(r) } }),
    status: (r) => podCounts(r, "fullyLabeledReplicas"),
  },
  {
    paths: ["/api/v1/replicationcontrollers"],
    hasScale: true,
    kind: "ReplicationController",
    object: (r) => ({
      spec: {
        ...replicas(r),
        template: template(r, { app: "shop", own: "" }),
        ...maybe(r, 0.7, () => ({ selector: { app: "shop", ...maybe(r, 0.5, () => ({ own: "" })) } })),
      },
    }),
    status: (r) => podCounts(r, "fullyLabeledReplicas"),
  },
  {
    paths: ["/apis/apps/v1/daemonsets"],
    kind: "DaemonSet",
    object: (r) => {
      const spec = selected(r);
      spec.template.spec.nodeSelector = labels(r);
      return { spec };
    },
    status: (r) => ({
      currentNumberScheduled: count(r),
      numberMisscheduled: count(r),
      desiredNumberScheduled: count(r),
      numberReady: count(r),
      ...counts(r, ["updatedNumberScheduled", "numberAvailable"]),
    }),
  },
  {
    paths: ["/apis/apps/v1/statefulsets"],
    hasScale: true,
    kind: "StatefulSet",
    object: (r) => ({ spec: { serviceName: "s", ...selected(r), ...replicas(r) } }),
    status: (r) => podCounts(r, "currentReplicas", "updatedReplicas"),
  },
  {
    paths: ["/apis/batch/v1/jobs"],
    kind: "Job",
    draws: 2,
    object: (r) => ({
      spec: {
        template: template(r, {}, r.pick(["Never", "OnFailure"])),
        ...maybe(r, 0.5, () => ({ completions: count(r) })),
        ...maybe(r, 0.5, () => ({ parallelism: count(r) })),
        ...maybe(r, 0.2, () => ({ suspend: true })),
        ...maybe(r, 0.2, () => ({
          manualSelector: true,
          selector: { matchLabels: { app: "shop" } },
          template: template(r, { app: "shop" }, "Never"),
        })),
      },
    }),
    status: (r) => ({
      ...counts(r, ["succeeded", "failed", "active"]),
      ...jobTimes(r),
    }),
  },
  {
    paths: ["/apis/batch/v1/cronjobs"],
    kind: "CronJob",
    object: (r) => ({
      spec: {
        schedule: r.pick(["* * * * *", "@hourly", "*/5  *\t* * *", "0 0 1 JAN sun"]),
        ...maybe(r, 0.5, () => ({ suspend: r.pick([true, false, null]) })),
        jobTemplate: {
          spec: {
            template: template(r, {}, "Never"),
            ...maybe(r, 0.2, () => ({ selector: selector(r), ...maybe(r, 0.5, () => ({ manualSelector: true })) })),
          },
        },
      },
    }),
    status: (r) => ({
      active: several(r, 3, (_, i) => ({ kind: "Job", name: `j${i}` })),
      ...maybe(r, 0.8, () => ({ lastScheduleTime: pointerTime(r), lastSuccessfulTime: pointerTime(r) })),
    }),
  },
  {
    paths: ["/apis/autoscaling/v2/horizontalpodautoscalers", "/apis/autoscaling/v1/horizontalpodautoscalers"],
    kind: "HorizontalPodAutoscaler",
    draws: 4,
    object: (r) => ({ spec: { ...autoscaler(r), ...maybe(r, 0.9, () => ({ metrics: metrics(r) })) } }),
    status: (r, { spec }) => ({
      desiredReplicas: count(r),
      ...counts(r, ["currentReplicas"]),
      ...maybe(r, 0.8, () => ({ currentMetrics: currentMetrics(r, spec.metrics) })),
    }),
  },
  {
    paths: ["/apis/autoscaling/v1/horizontalpodautoscalers", "/apis/autoscaling/v2/horizontalpodautoscalers"],
    kind: "HorizontalPodAutoscaler",
    object: (r) => ({
      metadata: {
        annotations: maybe(r, 0.6, () => ({
          "autoscaling.alpha.kubernetes.io/metrics": JSON.stringify(oldMetrics(r)),
        })),
      },
      spec: { ...autoscaler(r), ...maybe(r, 0.5, () => ({ targetCPUUtilizationPercentage: 1 + r.int(150) })) },
    }),
    status: (r) => ({
      desiredReplicas: count(r),
      currentReplicas: count(r),
      ...maybe(r, 0.5, () => ({ currentCPUUtilizationPercentage: r.int(300) })),
    }),
  },
  {
    paths: ["/apis/policy/v1/poddisruptionbudgets"],
    kind: "PodDisruptionBudget",
    object: (r) => ({
      spec: {
        selector: selector(r),
        ...r.pick([
          {},
          { minAvailable: count(r) },
          { minAvailable: "50%" },
          { maxUnavailable: count(r) },
          { maxUnavailable: "100%" },
          { maxUnavailable: 0 },
        ]),
      },
    }),
    status: (r) => ({
      disruptionsAllowed: count(r),
      currentHealthy: count(r),
      desiredHealthy: count(r),
      expectedPods: count(r),
    }),
  },
  {
    paths: ["/apis/apps/v1/controllerrevisions"],
    kind: "ControllerRevision",
    object: (r) => ({
      metadata: {
        ownerReferences: several(r, 2, (_, i) => ({
          apiVersion: r.pick(["apps/v1", "v1", "/v1", "Example.com/v1"]),
          kind: r.pick(["DaemonSet", "StatefulSet", "ÀB", "İ", "ΑΣ"]),
          name: r.pick(["o", "O.p", "a b", "<x>"]),
          uid: `u${i}`,
          ...maybe(r, 0.7, () => ({ controller: i === 0 && r.chance(0.8) })),
        })),
      },
      data: {},
      revision: r.pick([0, 1, 42, 9007199254740991]),
    }),
  },
  {
    paths: ["/api/v1/podtemplates"],
    kind: "PodTemplate",
    object: (r) => ({ template: template(r) }),
  },
  {
    paths: ["/api/v1/resourcequotas"],
    kind: "ResourceQuota",
    object: () => ({ spec: { hard: { pods: "1" } } }),
    status: (r) => {
      const names = [
        "pods",
        "limits.cpu",
        "requests.cpu",
        "limits.memory",
        "services",
        "cpu",
        "count/pods",
        "count/jobs.batch",
        "requests.nvidia.com/gpu",
        "a.storageclass.storage.k8s.io/requests.storage",

        "limits.ephemeral-storage",
      ];
      const amounts = () =>
        Object.fromEntries(
          r.some(names, 0.4).map((name) => [name, /^(pods|services|count)/.test(name) ? r.int(9) : amount(r)]),
        );
      return { hard: amounts(), ...maybe(r, 0.8, () => ({ used: amounts() })) };
    },
  },
  {
    paths: ["/api/v1/limitranges"],
    kind: "LimitRange",
    object: (r) => ({ spec: { limits: [{ type: "Container", max: { cpu: amount(r) } }] } }),
  },
  {
    paths: ["/api/v1/events", "/apis/events.k8s.io/v1/events"],
    kind: "Event",
    draws: 4,
    object: (r, { namespace }) => ({
      involvedObject: {
        namespace,
        ...maybe(r, 0.8, () => ({ kind: r.pick(["Pod", "ReplicaSet", someText(r)]) })),
        ...maybe(r, 0.8, () => ({ name: r.pick(["p", someText(r)]) })),
        ...maybe(r, 0.3, () => ({ fieldPath: r.pick(["spec.containers{c}", anyText(r)]) })),
      },
      ...maybe(r, 0.8, () => ({ type: r.pick(["Normal", "Warning", anyText(r)]) })),
      ...maybe(r, 0.8, () => ({ reason: anyText(r) })),
      ...maybe(r, 0.8, () => ({ message: r.pick([anyText(r), ` ${anyText(r)}\n`]) })),
      ...maybe(r, 0.5, () => ({
        source: r.pick([{}, { component: anyText(r) }, { component: "kubelet", host: anyText(r) }, { host: "n" }]),
      })),
      ...maybe(r, 0.3, () => ({ reportingComponent: anyText(r) })),
      ...maybe(r, 0.3, () => ({ reportingInstance: anyText(r) })),
      ...maybe(r, 0.6, () => ({ firstTimestamp: time(r) })),
      ...maybe(r, 0.6, () => ({ lastTimestamp: time(r) })),
      ...maybe(r, 0.5, () => ({ count: r.pick([0, 1, 5, -1]) })),
      ...maybe(r, 0.3, () => ({ series: { count: count(r), lastObservedTime: microTime(r) } })),
    }),
  },
  {
    paths: ["/apis/events.k8s.io/v1/events", "/api/v1/events"],
    kind: "Event",
    draws: 2,
    object: (r, { namespace }) => ({
      eventTime: microTime(r) ?? "2019-01-01T00:00:00.000001Z",
      regarding: { namespace, kind: r.pick(["Pod", someText(r)]), name: r.pick(["p", someText(r)]) },
      reason: someText(r).slice(0, 100),
      action: "a",
      type: r.pick(["Normal", "Warning"]),
      note: anyText(r),
      reportingController: r.pick(["example.com/c", "c"]),
      reportingInstance: someText(r).slice(0, 100),
      ...maybe(r, 0.4, () => ({
        series: { count: 2 + r.int(5), lastObservedTime: microTime(r) ?? "2019-01-01T00:00:00.000001Z" },
      })),
      ...maybe(r, 0.2, () => ({ deprecatedSource: {}, deprecatedCount: 0 })),
    }),
  },
];
