import { type FieldErrors, type FieldPath, validateQualifiedText } from "@gatehouse/apiserver/validation";
import { validateQualifiedName } from "@gatehouse/envelopes/validation";
import {
  isExtendedResource,
  isNativeResource,
  isStandardContainerResource,
  isStandardResource,
} from "../../../../validation/resource-names.js";

/**
 * Validates the name of a measured container resource: a standard one, or `domain/name`. v1.29 shows a malformed name
 * in quotes here, and without them in the rule for resources that containers request.
 */
export function validateMeasuredResource(resource: string, path: FieldPath, errors: FieldErrors): void {
  validateQualifiedText(resource, path, errors);
  const hasForm = validateQualifiedName(resource).length === 0;
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
