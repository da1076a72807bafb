import { type ApiGroup, defineComputedResource } from "@gatehouse/apiserver";
import type { ExtensionProgram } from "@gatehouse/apiserver/extension";
import type { coreV1 } from "@gatehouse/envelopes/types";
import type { PodReports, PolicyReport } from "./pod-reports.js";

const group = "wgpolicyk8s.io";
const sweepMs = 10_000;

const text = { type: "string" };
const count = { type: "integer" };
const result = {
  type: "object",
  properties: {
    policy: text,
    category: text,
    severity: { type: "string", enum: ["low", "medium", "high"] },
    result: { type: "string", enum: ["pass", "fail"] },
    message: text,
    source: { type: "string", description: "The origin of the result: admission or scan." },
  },
};
const scope = {
  type: "object",
  description: "The pod that the report is about.",
  properties: { apiVersion: text, kind: text, namespace: text, name: text, uid: text },
};

/** Returns the group wgpolicyk8s.io. Nothing of it is stored: reports are in the memory of the process. */
function reportsGroup({ objects }: PodReports): ApiGroup {
  const reports = defineComputedResource<PolicyReport>({
    ...{ group, version: "v1alpha2", resource: "policyreports", kind: "PolicyReport", namespaced: true },
    shortNames: ["polr"],
    schema: {
      type: "object",
      description: "A report of the policies about one pod.",
      properties: {
        scope,
        results: { type: "array", items: result },
        summary: { type: "object", properties: { pass: count, fail: count } },
      },
    },
    columns: [
      { name: "Pass", type: "integer", jsonPath: ".summary.pass" },
      { name: "Fail", type: "integer", jsonPath: ".summary.fail" },
      { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
    ],
    ...objects.functions,
  });
  return { name: group, versions: ["v1alpha2"], resources: [reports] };
}

/** Returns the API server of the reports, which follows the pods of the API server in front. */
export function reportsProgram(reports: PodReports): ExtensionProgram {
  return {
    name: "reports",
    groups: [reportsGroup(reports)],
    async onServing({ objectSource }) {
      const sweeping = setInterval(() => reports.sweep(Date.now()), sweepMs);
      await objectSource.follow(
        { group: "", resource: "pods" },
        {
          present: (_namespace, _name, pod) => reports.scan(pod as coreV1.Pod),
          gone: (namespace, name) => reports.gone(namespace, name),
        },
      );
      return () => clearInterval(sweeping);
    },
  };
}
