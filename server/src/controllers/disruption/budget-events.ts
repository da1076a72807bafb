import type { CacheEntry } from "@gatehouse/apiserver/storage";
import { labelSelectorDump } from "@gatehouse/apiserver/tables";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { CoreEventRecorder, type CoreEventRecorderOptions, type CoreReport } from "../core-event-recorder.js";

const budgetType = { kind: "PodDisruptionBudget", apiVersion: "policy/v1" } as const;
const podType = { kind: "Pod", apiVersion: "v1" } as const;

/** The events of the disruption controller, in the words of v1.29. */
export class BudgetEvents {
  readonly #recorder: CoreEventRecorder;

  constructor(options: Omit<CoreEventRecorderOptions, "component">) {
    this.#recorder = new CoreEventRecorder({ ...options, component: "controllermanager" });
  }

  /** Reports that the selector of a budget is invalid. */
  podsUnknown(budget: JsonObject, problem: string): void {
    this.#about(budget, { type: "Warning", reason: "NoPods", message: `Failed to get pods: ${problem}` });
  }

  noPods(budget: JsonObject): void {
    this.#about(budget, { type: "Normal", reason: "NoPods", message: "No matching pods found" });
  }

  countFailed(budget: JsonObject, problem: string): void {
    const message = `Failed to calculate the number of expected pods: ${problem}`;
    this.#about(budget, { type: "Warning", reason: "CalculateExpectedPodCountFailed", message });
  }

  /** Reports pods without a controller, of which a budget wants a share. */
  unmanagedPods(budget: JsonObject): void {
    const selector = labelSelectorDump(objectAt(budget, "spec", "selector"));
    const message =
      `Pods selected by this PodDisruptionBudget (selector: ${selector}) were found to be unmanaged. As a result, the ` +
      "status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these " +
      'pods please set ".spec.minAvailable" field of the PDB to an integer value.';
    this.#about(budget, { type: "Warning", reason: "UnmanagedPods", message });
  }

  /** Reports a pod whose eviction was allowed, and which is still there. */
  notDeleted(pod: CacheEntry, namespace: string): void {
    // v1.29 names the namespace in the place of the budget as well.
    const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
    this.#recorder.report(pod.object(), podType, { type: "Warning", reason: "NotDeleted", message });
  }

  /** Reports a pod that several budgets select; no eviction of it is allowed. */
  multipleBudgets(pod: CacheEntry, namespace: string, name: string, chosen: string): void {
    const message = `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets.  Chose "${chosen}" arbitrarily.`;
    this.#recorder.report(pod.object(), podType, { type: "Warning", reason: "MultiplePodDisruptionBudgets", message });
  }

  /** Resolves when all events are written. */
  async idle(): Promise<void> {
    await this.#recorder.idle();
  }

  #about(budget: JsonObject, report: CoreReport): void {
    this.#recorder.report(budget, budgetType, report);
  }
}
