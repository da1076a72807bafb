export { FieldPath } from "./field-path.js";
export { validateKnownFinalizer, validateKnownFinalizers } from "./finalizers.js";
export { maxAnnotationBytes, validateAnnotations, validateLabels } from "./labels-and-annotations.js";
export { validateFieldManager, validateManagedFields } from "./managed-fields.js";
export {
  type ValidateName,
  type ValidateValue,
  validateAnnotationKey,
  validateConfigMapKey,
  validateDns1035Label,
  validateDns1035Name,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabelName,
  validateLabelValue,
  validatePathSegmentName,
  validateQualifiedName,
  validateSubdomainName,
} from "./names.js";
export {
  type ObjectMetaValidationOptions,
  resourceVersionRequired,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "./object-meta.js";
export { goOwnerReferences } from "./owner-references.js";
