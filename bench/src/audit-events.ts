import { numberMark } from "./load/load-request.js";

/** Events in a batch, as an API server sends them by default. */
export const eventsInBatch = 400;

/** Time of the events: an index forgets what is older than a week. */
const eventTime = new Date().toISOString().replace("Z", "000Z");

/** An EventList of Metadata events of about 1 KB each, which differ by number and place. */
export function eventListJson(): string {
  const items = Array.from({ length: eventsInBatch }, (_, index) => metadataEvent(index));
  return JSON.stringify({ kind: "EventList", apiVersion: "audit.k8s.io/v1", metadata: {}, items });
}

function metadataEvent(index: number): object {
  const name = `payments-7d4b9c6f5-${String(index).padStart(5, "0")}`;
  return {
    level: "Metadata",
    auditID: `6f9619ff-8b86-d011-${String(index).padStart(4, "0")}-000${numberMark}`,
    stage: "ResponseComplete",
    requestURI: `/api/v1/namespaces/payments-production/pods/${name}/status?fieldManager=kubelet&timeout=10s`,
    verb: "patch",
    user: {
      username: "system:node:ip-10-0-37-118.eu-central-1.compute.internal",
      groups: ["system:nodes", "system:authenticated"],
    },
    sourceIPs: ["10.0.37.118"],
    userAgent: "kubelet/v1.29.0 (linux/amd64) kubernetes/3f7a50f",
    objectRef: {
      resource: "pods",
      namespace: "payments-production",
      name,
      apiVersion: "v1",
      subresource: "status",
    },
    responseStatus: { metadata: {}, code: 200 },
    requestReceivedTimestamp: eventTime,
    stageTimestamp: eventTime,
    annotations: {
      "authorization.k8s.io/decision": "allow",
      "authorization.k8s.io/reason": "",
      "pod-security.kubernetes.io/enforce-policy": "restricted:latest",
    },
  };
}
