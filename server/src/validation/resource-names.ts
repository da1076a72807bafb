import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { validateQualifiedName } from "@gatehouse/envelopes/validation";

const hugePagesPrefix = "hugepages-";
const requestsPrefix = "requests.";

/** Resources without a domain that are counted rather than measured. */
const countedResources: ReadonlySet<string> = new Set([
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);

/** Resources without a domain that containers can request, beside huge pages. */
const containerResources: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);

/** Resources without a domain that quotas limit, beside huge pages. */
const quotaResources: ReadonlySet<string> = new Set([
  ...countedResources,
  ...containerResources,
  "requests.cpu",
  "requests.memory",
  "requests.storage",
  "requests.ephemeral-storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
]);

/** Resources without a domain that v1.29 knows, beside huge pages. */
const standardResources: ReadonlySet<string> = new Set([...quotaResources, "storage"]);

/** Reports whether a resource is huge pages of one size: `hugepages-2Mi`. */
export function isHugePages(resource: string): boolean {
  return resource.startsWith(hugePagesPrefix);
}

/** Returns the page size of a huge pages resource, as a quantity that need not be canonical. */
export function hugePageSize(resource: string): string {
  return resource.slice(hugePagesPrefix.length);
}

/** Reports whether a resource is one of Kubernetes itself: its name has no domain, or one of `kubernetes.io/`. */
export function isNativeResource(resource: string): boolean {
  return !resource.includes("/") || resource.includes("kubernetes.io/");
}

/** Reports whether a resource is an extended one, which is counted: `example.com/gpu`. */
export function isExtendedResource(resource: string): boolean {
  return (
    !isNativeResource(resource) &&
    !resource.startsWith(requestsPrefix) &&
    validateQualifiedName(`${requestsPrefix}${resource}`).length === 0
  );
}

/** Reports whether a resource comes in whole numbers only. */
export function isIntegerResource(resource: string): boolean {
  return countedResources.has(resource) || isExtendedResource(resource);
}

/** Reports whether a limit of the resource may exceed its request. */
export function isOvercommitAllowed(resource: string): boolean {
  return isNativeResource(resource) && !isHugePages(resource);
}

/** Reports whether v1.29 knows a resource of this name without a domain. */
export function isStandardResource(resource: string): boolean {
  return standardResources.has(resource) || hasHugePagesPrefix(resource);
}

/** Reports whether quotas know a resource of this name without a domain. */
export function isStandardQuotaResource(resource: string): boolean {
  return quotaResources.has(resource) || hasHugePagesPrefix(resource);
}

/** Reports whether containers can request a resource of this name without a domain. */
export function isStandardContainerResource(resource: string): boolean {
  return containerResources.has(resource) || isHugePages(resource);
}

/** Length up to which a qualified name is still one with `requests.` in front, in bytes. */
const maxLengthToPrefix = 253 - requestsPrefix.length;

/** Validates the name of any resource, shown without quotes as in v1.29. Returns whether it is a qualified name. */
export function validateResourceName(resource: string, path: FieldPath, errors: FieldErrors): boolean {
  const problems = validateQualifiedName(resource);
  for (const problem of problems) {
    errors.invalidShown(path, resource, problem);
  }
  if (problems.length === 0 && !resource.includes("/") && !isStandardResource(resource)) {
    errors.invalidShown(path, resource, "must be a standard resource type or fully qualified");
  }
  return problems.length === 0;
}

/** Validates the name of a resource that a container requests. */
export function validateContainerResourceName(resource: string, path: FieldPath, errors: FieldErrors): void {
  const isQualified = validateResourceName(resource, path, errors);
  if (!resource.includes("/")) {
    if (!isStandardContainerResource(resource)) {
      errors.invalidShown(path, resource, "must be a standard resource for containers");
    }
  } else if (isQualified && resource.length <= maxLengthToPrefix && !resource.startsWith(requestsPrefix)) {
    // Nearly all names are of this form: either native or extended.
    return;
  } else if (!isNativeResource(resource) && !isExtendedResource(resource)) {
    errors.invalidShown(path, resource, "doesn't follow extended resource name standard");
  }
}

function hasHugePagesPrefix(resource: string): boolean {
  return resource.startsWith(hugePagesPrefix) || resource.startsWith(`${requestsPrefix}${hugePagesPrefix}`);
}
