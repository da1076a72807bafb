import { type AdmissionPlugin, isCoreWrite, refusal } from "@gatehouse/apiserver/admission";
import { textsAt } from "@gatehouse/envelopes/json";

/** DenyServiceExternalIPs: services get no external addresses that they do not have already. */
export function denyServiceExternalIPs(): AdmissionPlugin {
  return {
    name: "DenyServiceExternalIPs",
    concerns: (write) => isCoreWrite(write, "services", ["CREATE", "UPDATE"]),
    validate(attributes) {
      const known = textsAt(attributes.oldObject, "spec", "externalIPs");
      if (!textsAt(attributes.object, "spec", "externalIPs").every((address) => known.includes(address))) {
        throw refusal(attributes, "Use of external IPs is denied by admission control");
      }
    },
  };
}
