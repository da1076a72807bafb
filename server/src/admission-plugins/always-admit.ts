import type { AdmissionPlugin } from "@gatehouse/apiserver/admission";

/** AlwaysAdmit: has nothing to say about anything. It is there for flags that name it. */
export function alwaysAdmit(): AdmissionPlugin {
  return { name: "AlwaysAdmit", concerns: () => false };
}
