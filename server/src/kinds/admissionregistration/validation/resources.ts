import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";

/**
 * Validates names of resources and subresources with wildcards; a name that a wildcard before it covers is an error.
 */
export function validateResources(resources: string[], path: FieldPath, errors: FieldErrors): void {
  if (resources.length === 0) {
    errors.required(path);
  }
  validateCovered(resources, path, errors);
  if (resources.length > 1 && resources.includes("*/*")) {
    errors.invalid(path, resources, "if '*/*' is present, must not specify other resources");
  }
  // v1.29 checks only the last name without a subresource.
  const lastWhole = resources.findLast((resource) => resource !== "" && !resource.includes("/"));
  if (resources.includes("*") && lastWhole !== "*") {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.invalid(path, resources, detail);
  }
}

function validateCovered(resources: readonly string[], path: FieldPath, errors: FieldErrors): void {
  const withAnySubresource = new Set<string>();
  const ofAnyResource = new Set<string>();
  for (const [index, name] of resources.entries()) {
    if (errors.isFull) {
      return;
    }
    if (name === "") {
      errors.required(path.index(index));
      continue;
    }
    const slash = name.indexOf("/");
    if (slash < 0) {
      continue;
    }
    const [resource, subresource] = [name.slice(0, slash), name.slice(slash + 1)];
    if (withAnySubresource.has(resource)) {
      errors.invalid(path.index(index), name, `if '${resource}/*' is present, must not specify ${name}`);
    }
    if (ofAnyResource.has(subresource)) {
      errors.invalid(path.index(index), name, `if '*/${subresource}' is present, must not specify ${name}`);
    }
    if (subresource === "*") {
      withAnySubresource.add(resource);
    }
    if (resource === "*") {
      ofAnyResource.add(subresource);
    }
  }
}
