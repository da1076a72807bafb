export { formatReport, type ReportFormat } from "./format-report.js";
export { isRefused } from "./is-refused.js";
export type {
  CheckedManifest,
  Finding,
  ManifestPlace,
  ManifestReport,
  ReportRule,
  SkippedDocument,
} from "./manifest-report.js";
export {
  DocumentError,
  listDocumentFiles,
  objectsIn,
  readDocuments,
  readObjects,
  type SourceDocument,
} from "./read-documents.js";
export { readObjectsOf } from "./read-objects-of.js";
export { reportFlags } from "./report-flags.js";
export { xml } from "./xml-text.js";
