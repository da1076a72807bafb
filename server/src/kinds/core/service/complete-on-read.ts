import { type IPFamily, ipFamilyOf } from "@gatehouse/apiserver/options";
import { type JsonObject, ownObject } from "@gatehouse/envelopes/json";
import { completeClusterIPs } from "./allocation/carry-allocated.js";
import { isHeadlessWithoutSelector, otherFamily } from "./allocation/ip-families.js";
import { clusterIPsOf, ipFamiliesOf, isHeadless, takesClusterIP } from "./service-fields.js";

/**
 * Fills in the addresses and families of a service that was stored before these were lists (before v1.20), and drops the
 * internal traffic policy that v1.21 stored for an ExternalName.
 */
export function completeServiceOnRead(
  service: JsonObject,
  { primaryFamily }: { readonly primaryFamily: IPFamily },
): void {
  completeClusterIPs(service);
  const spec = ownObject(service, "spec");
  if (!takesClusterIP(spec)) {
    delete spec["internalTrafficPolicy"];
  } else if (clusterIPsOf(spec).length > 0 && ipFamiliesOf(spec).length === 0) {
    const families = storedFamilies(spec, primaryFamily);
    spec["ipFamilies"] = families;
    spec["ipFamilyPolicy"] = families.length === 1 ? "SingleStack" : "RequireDualStack";
  }
}

function storedFamilies(spec: JsonObject, primary: IPFamily): IPFamily[] {
  if (isHeadlessWithoutSelector(spec)) {
    return [primary, otherFamily(primary)];
  }
  return isHeadless(spec)
    ? [primary]
    : clusterIPsOf(spec).map((address) => (ipFamilyOf(address) === "IPv6" ? "IPv6" : "IPv4"));
}
