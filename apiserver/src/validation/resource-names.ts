import { checkQualifiedName } from "@gatehouse/envelopes";
import type { FieldErrors } from "./field-errors.js";
import type { FieldPath } from "./field-path.js";

const hugePagesPrefix = "hugepages-";
const requestsPrefix = "requests.";

/** What is counted rather than measured, as long as it has no domain. */
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

/** What containers can ask for by a name without a domain, beside huge pages. */
const containerResources: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);

/** What quotas limit, beside huge pages. */
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

/** Names of resources that need no domain, beside huge pages. */
const standardResources: ReadonlySet<string> = new Set([...quotaResources, "storage"]);

/** Huge pages of one size: `hugepages-2Mi`. */
export function isHugePages(resource: string): boolean {
  return resource.startsWith(hugePagesPrefix);
}

/** The size of the pages, as a quantity in whatever form it was written. */
export function hugePageSize(resource: string): string {
  return resource.slice(hugePagesPrefix.length);
}

/** Resources of Kubernetes itself: they have no domain, or one of its own. */
export function isNativeResource(resource: string): boolean {
  return !resource.includes("/") || resource.includes("kubernetes.io/");
}

/** Resources of others, which are counted: `example.com/gpu`. */
export function isExtendedResource(resource: string): boolean {
  return (
    !isNativeResource(resource) &&
    !resource.startsWith(requestsPrefix) &&
    checkQualifiedName(`${requestsPrefix}${resource}`).length === 0
  );
}

/** Resources that come in whole numbers only. */
export function isIntegerResource(resource: string): boolean {
  return countedResources.has(resource) || isExtendedResource(resource);
}

/** Whether more may be promised of the resource than there is. */
export function isOvercommitAllowed(resource: string): boolean {
  return isNativeResource(resource) && !isHugePages(resource);
}

/** Whether the name of a resource without a domain is one that v1.29 knows. */
export function isStandardResource(resource: string): boolean {
  return standardResources.has(resource) || hasHugePagesPrefix(resource);
}

/** Whether quotas know the resource by a name without a domain. */
export function isStandardQuotaResource(resource: string): boolean {
  return quotaResources.has(resource) || hasHugePagesPrefix(resource);
}

/** Whether a container can ask for the resource by a name without a domain. */
export function isStandardContainerResource(resource: string): boolean {
  return containerResources.has(resource) || isHugePages(resource);
}

/** A qualified name as long as this is one with `requests.` before it, too. */
const maxLengthToPrefix = 253 - requestsPrefix.length;

/** The name of any resource. v1.29 shows such names without quotes. Answers whether it is a qualified name. */
export function checkResourceName(resource: string, path: FieldPath, errors: FieldErrors): boolean {
  const problems = checkQualifiedName(resource);
  for (const problem of problems) {
    errors.invalidShown(path, resource, problem);
  }
  if (problems.length === 0 && !resource.includes("/") && !isStandardResource(resource)) {
    errors.invalidShown(path, resource, "must be a standard resource type or fully qualified");
  }
  return problems.length === 0;
}

/** The name of a resource that a container asks for. */
export function checkContainerResourceName(resource: string, path: FieldPath, errors: FieldErrors): void {
  const isQualified = checkResourceName(resource, path, errors);
  if (!resource.includes("/")) {
    if (!isStandardContainerResource(resource)) {
      errors.invalidShown(path, resource, "must be a standard resource for containers");
    }
  } else if (isQualified && resource.length <= maxLengthToPrefix && !resource.startsWith(requestsPrefix)) {
    // As nearly all are: either native or extended.
    return;
  } else if (!isNativeResource(resource) && !isExtendedResource(resource)) {
    errors.invalidShown(path, resource, "doesn't follow extended resource name standard");
  }
}

function hasHugePagesPrefix(resource: string): boolean {
  return resource.startsWith(hugePagesPrefix) || resource.startsWith(`${requestsPrefix}${hugePagesPrefix}`);
}
