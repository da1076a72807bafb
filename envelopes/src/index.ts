export { auditSequenceHeader, auditSourceHeader } from "./audit-headers.js";
export type { AsWritten } from "./codec/as-written.js";
export { copyJson } from "./codec/copy-json.js";
export { copySorted, sortMembers } from "./codec/copy-sorted.js";
export { DecodeError } from "./codec/decode-error.js";
export { type DecodeOptions, decodeJson } from "./codec/decode-json.js";
export { pruneUnstructured } from "./codec/decode-unstructured.js";
export type { Decoded } from "./codec/decoded.js";
export { copyEmptied, forgetEmptied, wasSentEmpty } from "./codec/emptied-members.js";
export { encodeJson } from "./codec/encode-json.js";
export { encodeYaml, encodeYamlChunks } from "./codec/encode-yaml.js";
export {
  envelopeAround,
  isEnveloped,
  type TypeMeta,
  type Unknown,
  unwrapEnvelope,
  unwrapUnknown,
  wrapUnknown,
} from "./codec/envelope.js";
export { fieldsTextOf, setFieldsText } from "./codec/fields-text.js";
export { goTypeOf } from "./codec/go-type.js";
export { jsonTypeName } from "./codec/json-type-name.js";
export { maxValues, refuseTooManyValues } from "./codec/json-value-count.js";
export { setKey } from "./codec/object-plan.js";
export { type ParsedJson, parseExactIntegersInSlices, parseJson, parseJsonInSlices } from "./codec/parse-json.js";
export { memberPaths } from "./codec/parse-json-exactly.js";
export { type ParsedYaml, parseYaml } from "./codec/parse-yaml.js";
export { parseYamlDocuments, type YamlDocument, YamlDocumentError } from "./codec/parse-yaml-documents.js";
export { decodeProtobuf } from "./codec/protobuf-decode.js";
export { encodeProtobuf, protobufMemberEncoder } from "./codec/protobuf-encode.js";
export { canonicalBase64 } from "./codec/scalars/base64.js";
export { canonicalDuration, formatDuration, parseDuration } from "./codec/scalars/duration.js";
export { type IntOrString, isInt32, parsePercent, scaledIntOrPercent } from "./codec/scalars/int-or-string.js";
export {
  addQuantity,
  canonicalQuantity,
  compareQuantity,
  negateQuantity,
  parseQuantity,
  type Quantity,
  type QuantityFormat,
  quantityValue,
  roundUpQuantity,
  subtractQuantity,
} from "./codec/scalars/quantity.js";
export {
  canonicalMicroTime,
  canonicalTime,
  formatMicroTime,
  formatTime,
  parseMicroTime,
  parseTime,
  type Timestamp,
} from "./codec/scalars/time.js";
export { encodeStoredJson, parseStoredJson } from "./codec/stored-json.js";
export { WireWriter } from "./codec/wire-writer.js";
export { createDefaulting, type Defaulting } from "./defaults/defaulting-plan.js";
export {
  copyIfEmpty,
  type DefaultingRule,
  type DefaultingRules,
  setIfAbsent,
  setIfZero,
} from "./defaults/defaulting-rule.js";
export { applyStructuralDefaults, maxDefaultedBytes, TooManyDefaultsError } from "./defaults/structural-defaults.js";
export { defaultFeatures, type EnabledFeatures } from "./features/enabled-features.js";
export {
  type FeatureName,
  type FeatureSpec,
  type FeatureStage,
  knownFeatures,
} from "./features/known-features.js";
export type * from "./generated/index.js";
export { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "./json.js";
export {
  booleanAt,
  conditionOfType,
  integerAt,
  isSet,
  listAt,
  objectAt,
  scalarAt,
  textAt,
  textsAt,
  valueAt,
} from "./json-fields.js";
export {
  isSameDocument,
  jsonByteLength,
  member,
  shallowCopy,
  sortMembersInPlace,
  withoutHolders,
  withoutNulls,
} from "./json-patch/json-members.js";
export {
  applyJsonPatch,
  type DecodedJsonPatch,
  decodeJsonPatch,
  type JsonPatchOperation,
  type JsonPatchOptions,
  jsonPatchSteps,
} from "./json-patch/json-patch.js";
export { patchDoesNotApply } from "./json-patch/patch-does-not-apply.js";
export { templateGenerationAnnotation } from "./kind-defaults/apps/template-generation.js";
export { defaultScaleDownRules, defaultScaleUpRules } from "./kind-defaults/autoscaling/scaling-behavior.js";
export { preserveZeroSharesAnnotation } from "./kind-defaults/flowcontrol/zero-shares.js";
export { builtinDefaultingRules } from "./kind-defaults/index.js";
export { brand, domain, mediaTypes } from "./names.js";
export { ownList, ownObject } from "./own-members.js";
export { type JsonSchemaOptions, jsonSchemaOf } from "./schema/json-schema.js";
export { kindSchema, messageSchema, type SchemaRegistry, schemaRegistry } from "./schema/registry.js";
export {
  apiVersionOf,
  type Field,
  type Granularity,
  type GroupVersionKind,
  type GroupVersionResource,
  type JsonSchema,
  type KindSchema,
  type ListSchema,
  type ListType,
  type MapSchema,
  type ObjectSchema,
  type PatchStrategy,
  type ScalarKind,
  type ScalarSchema,
  type Schema,
  type StructuralTraits,
  type UnionSchema,
} from "./schema/schema.js";
export { structuralSearch } from "./schema/structural-search.js";
export {
  escapeFieldValue,
  type FieldRequirement,
  type FieldSelector,
  fieldLabelNotSupported,
  fieldSelectorOf,
  parseFieldSelector,
  resolveFieldLabels,
  type SelectableFields,
  unknownFieldSelector,
} from "./selectors/field-selector.js";
export {
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  labelRequirement,
} from "./selectors/label-requirement.js";
export {
  type LabelSelector,
  type LabelSelectorExpression,
  type LabelSelectorObject,
  labelSelectorOf,
  matchNothing,
  parseLabelSelector,
} from "./selectors/label-selector.js";
export { SelectorError } from "./selectors/selector-error.js";
export { type CauseType, type FieldError, fieldError, hasEnoughErrors, maxFieldErrors } from "./status/field-error.js";
export { goPointer } from "./status/go-pointer.js";
export { goQuote } from "./status/go-quote.js";
export { goDouble, goNumber, goSyntaxValue } from "./status/go-syntax.js";
export * from "./status/status-error.js";
export { checkKnownFinalizer, validateKnownFinalizers } from "./validation/finalizers.js";
export { maxAnnotationBytes, validateAnnotations, validateLabels } from "./validation/labels-and-annotations.js";
export { validateFieldManager, validateManagedFields } from "./validation/managed-fields.js";
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
} from "./validation/names.js";
export {
  type ObjectMetaRules,
  resourceVersionRequired,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "./validation/object-meta.js";
export { goOwnerReferences } from "./validation/owner-references.js";
