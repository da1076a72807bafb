import type { JsonObject } from "@gatehouse/envelopes/json";

/** Two versions that show the same objects. Parts of objects are laid over each other, as in samples. */
export interface Cohabitation {
  readonly written: string;
  readonly read: string;
  readonly kind: string;
  /** The part of the sample of `written` that `read` shows. */
  readonly shown: JsonObject;
  /** A change made through `read` ... */
  readonly change: JsonObject;
  /** ... and what `written` shows of it. */
  readonly changed: JsonObject;
}

const sameEvent = { reason: "BackOff", type: "Warning" };

export const cohabitations: readonly Cohabitation[] = [
  {
    written: "v1",
    read: "events.k8s.io/v1",
    kind: "Event",
    shown: {
      ...sameEvent,
      note: "Back-off restarting failed container",
      regarding: { kind: "Pod", name: "web", apiVersion: "v1" },
      deprecatedSource: { component: "kubelet" },
      deprecatedCount: 1,
      deprecatedFirstTimestamp: "2024-01-02T03:04:05Z",
      deprecatedLastTimestamp: "2024-01-02T02:04:05Z",
      eventTime: null,
    },
    change: { metadata: { labels: { seen: "yes" } } },
    changed: { metadata: { labels: { seen: "yes" } }, message: "Back-off restarting failed container" },
  },
  {
    written: "events.k8s.io/v1",
    read: "v1",
    kind: "Event",
    shown: {
      action: "Binding",
      eventTime: "2024-01-02T03:04:05.123456Z",
      firstTimestamp: null,
      involvedObject: { kind: "Pod", name: "web" },
      lastTimestamp: null,
      message: "assigned",
      reason: "Scheduled",
      reportingComponent: "example.com/scheduler",
      reportingInstance: "scheduler-1",
      source: {},
      type: "Normal",
    },
    change: { series: { count: 3, lastObservedTime: "2024-01-02T03:05:05.000001Z" } },
    changed: { series: { count: 3, lastObservedTime: "2024-01-02T03:05:05.000001Z" }, note: "assigned" },
  },
  {
    written: "autoscaling/v1",
    read: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    shown: {
      spec: {
        minReplicas: 1,
        maxReplicas: 10,
        metrics: [
          { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 70 } } },
        ],
      },
      status: { currentMetrics: null, desiredReplicas: 0 },
    },
    change: { spec: { metrics: [{ resource: { target: { averageUtilization: 50 } } }] } },
    changed: { spec: { targetCPUUtilizationPercentage: 50 } },
  },
  {
    written: "autoscaling/v2",
    read: "autoscaling/v1",
    kind: "HorizontalPodAutoscaler",
    shown: {
      metadata: {
        annotations: {
          "autoscaling.alpha.kubernetes.io/behavior": JSON.stringify({
            ScaleUp: {
              StabilizationWindowSeconds: 0,
              SelectPolicy: "Max",
              Policies: [
                { Type: "Pods", Value: 4, PeriodSeconds: 15 },
                { Type: "Percent", Value: 100, PeriodSeconds: 15 },
              ],
            },
            ScaleDown: {
              StabilizationWindowSeconds: 60,
              SelectPolicy: "Max",
              Policies: [{ Type: "Percent", Value: 100, PeriodSeconds: 15 }],
            },
          }),
        },
      },
      spec: { maxReplicas: 10, targetCPUUtilizationPercentage: 80 },
      status: { currentReplicas: 0, desiredReplicas: 0 },
    },
    change: { spec: { targetCPUUtilizationPercentage: 60 } },
    changed: {
      spec: {
        metrics: [{ resource: { target: { averageUtilization: 60 } } }],
        behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
      },
    },
  },
  ...both("flowcontrol.apiserver.k8s.io/v1", "flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema", {
    spec: { matchingPrecedence: 7 },
  }),
  {
    written: "flowcontrol.apiserver.k8s.io/v1",
    read: "flowcontrol.apiserver.k8s.io/v1beta3",
    kind: "PriorityLevelConfiguration",
    shown: { spec: { limited: { nominalConcurrencyShares: 30 } } },
    // Nothing, in the beta, is the default, unless an annotation says that zero is meant.
    change: { spec: { limited: { nominalConcurrencyShares: 0 } } },
    changed: { spec: { limited: { nominalConcurrencyShares: 30 } } },
  },
  {
    written: "flowcontrol.apiserver.k8s.io/v1beta3",
    read: "flowcontrol.apiserver.k8s.io/v1",
    kind: "PriorityLevelConfiguration",
    shown: { spec: { limited: { nominalConcurrencyShares: 30 } } },
    change: { spec: { limited: { nominalConcurrencyShares: 0 } } },
    changed: {
      metadata: { annotations: { "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares": "" } },
      spec: { limited: { nominalConcurrencyShares: 0 } },
    },
  },
  ...["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"].flatMap((kind) =>
    both("admissionregistration.k8s.io/v1beta1", "admissionregistration.k8s.io/v1alpha1", kind, {
      spec: kind.endsWith("Binding") ? { policyName: "other.example.com" } : { failurePolicy: "Ignore" },
    }),
  ),
];

/** Versions of one shape, each written through and read from the other. */
function both(a: string, b: string, kind: string, change: JsonObject): readonly Cohabitation[] {
  return [
    { written: a, read: b, kind, shown: {}, change, changed: change },
    { written: b, read: a, kind, shown: {}, change, changed: change },
  ];
}
