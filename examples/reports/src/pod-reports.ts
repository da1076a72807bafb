import { ObjectsInMemory } from "@gatehouse/apiserver";
import type { coreV1 } from "@gatehouse/envelopes/types";
import { type Policy, policies } from "./policies.js";

/** A result of a policy, as wgpolicyk8s.io/v1alpha2 has it. */
export interface Result {
  readonly policy: string;
  readonly category: string;
  readonly severity: string;
  readonly result: "pass" | "fail";
  readonly message?: string;
  /** The origin of the result: an admission request, or a scan of the objects that are stored. */
  readonly source: Source;
}

/** A report about one pod, as wgpolicyk8s.io/v1alpha2 has it. */
export interface PolicyReport {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly scope: coreV1.ObjectReference;
  readonly results: readonly Result[];
  readonly summary: { readonly pass: number; readonly fail: number };
}

/** The origin of a result. */
export type Source = "admission" | "scan";

/** The time in milliseconds for which a pod that was admitted is reported although it is not stored. */
const admittedMs = 60_000;

/** Reports of pods: made when a pod is admitted, made again from what is stored, and gone with the pod. */
export class PodReports {
  /** The reports as objects of an API. */
  readonly objects = new ObjectsInMemory<PolicyReport>();
  /** Times in milliseconds at which pods were admitted that no scan has seen, by namespace and name. */
  readonly #admitted = new Map<string, { readonly namespace: string; readonly name: string; readonly atMs: number }>();

  /** Reports a pod that is stored. */
  scan(pod: coreV1.Pod): void {
    const { namespace = "", name = "" } = pod.metadata ?? {};
    this.#admitted.delete(`${namespace}/${name}`);
    this.objects.set(reportOf(pod, "scan"));
  }

  /** Reports a pod that is about to be stored. Returns the report. */
  admit(pod: coreV1.Pod, namespace: string, nowMs: number): PolicyReport {
    const report = reportOf({ ...pod, metadata: { ...pod.metadata, namespace } }, "admission");
    const { name } = report.metadata;
    if (this.objects.get(namespace, name) === undefined) {
      this.#admitted.set(`${namespace}/${name}`, { namespace, name, atMs: nowMs });
    }
    this.objects.set(report);
    return report;
  }

  /** Removes the report of a pod that is gone. */
  gone(namespace: string, name: string): void {
    this.#admitted.delete(`${namespace}/${name}`);
    this.objects.delete(namespace, name);
  }

  /** Removes reports of pods that were admitted and have not been stored within a minute: something else has refused them. */
  sweep(nowMs: number): void {
    for (const { namespace, name, atMs } of [...this.#admitted.values()]) {
      if (nowMs - atMs > admittedMs) {
        this.gone(namespace, name);
      }
    }
  }
}

function reportOf(pod: coreV1.Pod, source: Source): PolicyReport {
  const { namespace = "", name = "", uid = "" } = pod.metadata ?? {};
  const results = policies.map((policy) => resultOf(policy, pod, source));
  const fail = results.filter(({ result }) => result === "fail").length;
  return {
    metadata: { name, namespace, labels: { "reports.example.com/verdict": fail > 0 ? "fail" : "pass" } },
    scope: { apiVersion: "v1", kind: "Pod", namespace, name, uid },
    results,
    summary: { pass: results.length - fail, fail },
  };
}

function resultOf({ name, category, severity, check }: Policy, pod: coreV1.Pod, source: Source): Result {
  const violations = check(pod);
  const told = { policy: name, category, severity, source };
  return violations.length === 0
    ? { ...told, result: "pass" }
    : { ...told, result: "fail", message: violations.map(({ field, message }) => `${field}: ${message}`).join("; ") };
}
