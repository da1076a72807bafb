import type { JsonObject } from "@gatehouse/envelopes/json";

/** Returns the defaults that v1.29 adds to the spec of any pod. */
export function podDefaults(rest: JsonObject): JsonObject {
  return {
    restartPolicy: "Always",
    dnsPolicy: "ClusterFirst",
    schedulerName: "default-scheduler",
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    ...rest,
  };
}

/** Returns the defaults that v1.29 adds to a pod template with one container. */
export function templateDefaults(imagePullPolicy: "Always" | "IfNotPresent", spec: JsonObject = {}): JsonObject {
  return {
    metadata: { creationTimestamp: null },
    spec: podDefaults({
      containers: [
        {
          imagePullPolicy,
          terminationMessagePath: "/dev/termination-log",
          terminationMessagePolicy: "File",
        },
      ],
      ...spec,
    }),
  };
}
