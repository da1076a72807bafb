import type { RequestContext } from "@gatehouse/apiserver/request";
import type { Filter } from "@gatehouse/apiserver/server";
import { groupResourceText, serviceUnavailable } from "@gatehouse/envelopes/status";
import type { StorageVersionRegistrations } from "./registrations.js";

/**
 * Refuses writes to a resource until others have been told in which version this server stores it. What that itself
 * depends on passes: StorageVersions, leases of the control plane, and the namespaces that the server makes.
 */
export function awaitRegistration(registrations: StorageVersionRegistrations): Filter {
  return (context, next) => {
    if (registrations.isComplete || isExempt(context)) {
      return next(context);
    }
    const pending = registrations.pending(context.info);
    if (pending === undefined) {
      return next(context);
    }
    const resource = groupResourceText(context.info);
    const lastError = pending.lastError?.message ?? "<nil>";
    throw serviceUnavailable(
      `wait for storage version registration to complete for resource: ${resource}, last seen error: ${lastError}`,
    );
  };
}

const reads: ReadonlySet<string> = new Set(["get", "list", "watch"]);

function isExempt({ info, user }: RequestContext): boolean {
  const { namespace, verb } = info;
  if (!info.isResourceRequest || reads.has(verb)) {
    return true;
  }
  switch (groupResourceText(info)) {
    case "storageversions.internal.apiserver.k8s.io":
      return true;
    case "leases.coordination.k8s.io":
      return namespace === "kube-system";
    case "namespaces":
      return verb === "create" && user.username === "system:apiserver" && user.groups.includes("system:masters");
  }
  return false;
}
