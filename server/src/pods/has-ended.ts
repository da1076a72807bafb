import { type JsonObject, textAt } from "@gatehouse/envelopes/json";

/** Reports whether a pod is in a phase that is final: `Succeeded` or `Failed`. Its containers will not run again. */
export function hasEnded(pod: JsonObject): boolean {
  const phase = textAt(pod, "status", "phase");
  return phase === "Succeeded" || phase === "Failed";
}
