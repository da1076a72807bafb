export type { AsWritten } from "./as-written.js";
export { copyJson } from "./copy-json.js";
export { copySorted, sortMembers } from "./copy-sorted.js";
export { type DecodeOptions, decodeJson } from "./decode-json.js";
export { EmbeddedObjectError, pruneUnstructured, readEmbeddedObjects } from "./decode-unstructured.js";
export type { Decoded } from "./decoded.js";
export { type EmptyHandling, type EmptyMember, writeEmptyAsNull } from "./empty-members.js";
export { encodeJson } from "./encode-json.js";
export { encodeYaml, encodeYamlChunks } from "./encode-yaml.js";
export {
  envelopeAround,
  isEnveloped,
  type TypeMeta,
  type Unknown,
  unwrapEnvelope,
  unwrapUnknown,
  wrapUnknown,
} from "./envelope.js";
export { fieldsTextOf, setFieldsText } from "./fields-text.js";
export { jsonTypeName } from "./json-type-name.js";
export { maxValues, refuseTooManyValues } from "./json-value-count.js";
export { copyMemberNotes, forgetEmptied, wasSentEmpty } from "./member-notes.js";
export { setKey } from "./object-plan.js";
export { type ParsedJson, parseExactIntegersSteps, parseJson, parseJsonSteps } from "./parse-json.js";
export { memberPaths } from "./parse-json-exactly.js";
export { type ParsedYaml, parseYaml, parseYamlSteps } from "./parse-yaml.js";
export { parseYamlDocuments, type YamlDocument } from "./parse-yaml-documents.js";
export { decodeProtobuf } from "./protobuf-decode.js";
export { encodeProtobuf, protobufMemberEncoder } from "./protobuf-encode.js";
export { canonicalBase64 } from "./scalars/base64.js";
export { type IntOrString, isInt32, parsePercent, scaledIntOrPercent } from "./scalars/int-or-string.js";
export {
  addQuantity,
  canonicalQuantity,
  compareQuantity,
  negateQuantity,
  parseQuantity,
  type Quantity,
  type QuantityFormat,
  quantityMilliValue,
  quantityValue,
  roundUpQuantity,
  subtractQuantity,
} from "./scalars/quantity.js";
export {
  canonicalMicroTime,
  canonicalTime,
  formatMicroTime,
  formatTime,
  parseMicroTime,
  parseTime,
  type Timestamp,
} from "./scalars/time.js";
export { encodeStoredJson, parseStoredJson } from "./stored-json.js";
export { WireReader } from "./wire-reader.js";
export { WireWriter } from "./wire-writer.js";
