import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import {
  checkQualifiedText,
  isExtendedResource,
  isNativeResource,
  isStandardContainerResource,
  isStandardResource,
} from "@gatehouse/apiserver/validation";
import { checkQualifiedName } from "@gatehouse/envelopes";

/**
 * The resource of a container that is measured: a standard one, or `domain/name`. Unlike the rule for what containers ask
 * for, which demands the same, v1.29 shows the name in quotes where it has no form at all.
 */
export function checkMeasuredResource(resource: string, path: FieldPath, errors: FieldErrors): void {
  checkQualifiedText(resource, path, errors);
  const hasForm = checkQualifiedName(resource).length === 0;
  if (resource.includes("/")) {
    if (!isNativeResource(resource) && !isExtendedResource(resource)) {
      errors.invalidShown(path, resource, "doesn't follow extended resource name standard");
    }
    return;
  }
  if (hasForm && !isStandardResource(resource)) {
    errors.invalidShown(path, resource, "must be a standard resource type or fully qualified");
  }
  if (!isStandardContainerResource(resource)) {
    errors.invalidShown(path, resource, "must be a standard resource for containers");
  }
}
