export { checkKnownFinalizer, validateKnownFinalizers } from "./finalizers.js";
export { maxAnnotationBytes, validateAnnotations, validateLabels } from "./labels-and-annotations.js";
export { validateFieldManager, validateManagedFields } from "./managed-fields.js";
export {
  checkAnnotationKey,
  checkConfigMapKey,
  checkDns1035Label,
  checkDns1035Name,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkLabelName,
  checkLabelValue,
  checkPathSegmentName,
  checkQualifiedName,
  checkSubdomainName,
  type NameCheck,
  type ValueCheck,
} from "./names.js";
export {
  type ObjectMetaRules,
  resourceVersionRequired,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "./object-meta.js";
export { goOwnerReferences } from "./owner-references.js";
