export { hasBothFamilies, isStrictlyInside, parseCidr } from "./cidr.js";
export { checkConditions } from "./conditions.js";
export { checkDomainPrefixedPath } from "./domain-prefixed-path.js";
export { FieldErrors } from "./field-errors.js";
export { FieldPath } from "./field-path.js";
export { checkFullyQualifiedDomainName, checkHostNameOfStatus, checkNoAddress, hostNameProblems } from "./host-name.js";
export { checkImmutable, checkImmutableMessage, immutable, isSameMessage } from "./immutable.js";
export { checkAtMost100Percent, checkIntOrPercent, goIntOrString, intOrPercentOf } from "./int-or-percent.js";
export { checkOrdinaryIp, ipProblems, parseIp } from "./ip-address.js";
export {
  checkLabelSelector,
  goLabelSelector,
  hasInvalidLabelValue,
  isEmptySelector,
  isValidLabelSelector,
  type LabelSelectorOptions,
  selectsLabels,
} from "./label-selector.js";
export { checkAnnotations, checkLabels } from "./labels.js";
export {
  checkFormat,
  checkLabelText,
  checkQualifiedText,
  checkRequiredSupported,
  checkRequiredText,
  checkSubdomainText,
  checkSupported,
} from "./names.js";
export {
  checkFileMode,
  checkNonnegative,
  checkNonnegativeMembers,
  checkRange,
  isNumber,
  maxInt32,
  notNegative,
  rangeText,
} from "./numbers.js";
export {
  checkBasicQuantity,
  checkNonnegativeQuantity,
  checkPositiveQuantity,
  checkResourceQuantity,
  isWhole,
  quantityOf,
  textOf,
} from "./quantities.js";
export {
  checkContainerResourceName,
  checkResourceName,
  hugePageSize,
  isExtendedResource,
  isHugePages,
  isNativeResource,
  isOvercommitAllowed,
  isStandardContainerResource,
  isStandardQuotaResource,
  isStandardResource,
} from "./resource-names.js";
export { checkSignerName } from "./signer-name.js";
export { checkWebhookClientConfig } from "./webhook-client.js";
