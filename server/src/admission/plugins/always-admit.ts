import type { AdmissionPlugin } from "../admission-plugin.js";

/** AlwaysAdmit: has nothing to say about anything. It is there for flags that name it. */
export function alwaysAdmit(): AdmissionPlugin {
  return { name: "AlwaysAdmit", concerns: () => false };
}
