import { type FieldError, fieldError, invalid } from "@gatehouse/envelopes/status";
import { validateFieldManager } from "@gatehouse/envelopes/validation";

/** The fate of unknown and duplicate fields: dropped, dropped with a warning, or refused (KEP-2885). */
export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** The query parameters that create, update and patch share (CreateOptions, UpdateOptions, PatchOptions). */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  /** Set when the client has sent `fieldValidation`; admission sees only what was sent. */
  readonly asksForFieldValidation: boolean;
  readonly fieldManager: string;
}

/** The options of an apply patch. */
export interface ApplyOptions extends WriteOptions {
  /** True if fields are taken from other managers that own them. */
  readonly force: boolean;
}

type OptionsKind = "CreateOptions" | "UpdateOptions" | "PatchOptions";

/** Parses the options of a create. Throws an Invalid error that lists every problem, as v1.29 does. */
export function parseCreateOptions(query: URLSearchParams): WriteOptions {
  return parseWriteOptions(query, "CreateOptions");
}

/** Parses the options of an update. Throws an Invalid error that lists every problem. */
export function parseUpdateOptions(query: URLSearchParams): WriteOptions {
  return parseWriteOptions(query, "UpdateOptions");
}

/** Parses the options of a patch other than apply. Throws an Invalid error that lists every problem. */
export function parsePatchOptions(query: URLSearchParams): WriteOptions {
  return parseWriteOptions(query, "PatchOptions");
}

const fieldValidations: readonly FieldValidation[] = ["Ignore", "Strict", "Warn"];

function parseWriteOptions(query: URLSearchParams, kind: OptionsKind): WriteOptions {
  if (query.size === 0) {
    return noWriteOptions;
  }
  const isForced = kind === "PatchOptions" && query.get("force") !== null;
  return parseOptions(
    query,
    kind,
    isForced ? [fieldError.forbidden("force", "may not be specified for non-apply patch")] : [],
  );
}

/** Parses the options of an apply patch, which must name its field manager. */
export function parseApplyOptions(query: URLSearchParams): ApplyOptions {
  const isNamed = (query.get("fieldManager") ?? "") !== "";
  const options = parseOptions(
    query,
    "PatchOptions",
    isNamed ? [] : [fieldError.required("fieldManager", "is required for apply patch")],
  );
  const force = query.get("force");
  return { ...options, force: force !== null && force !== "0" && force.toLowerCase() !== "false" };
}

function parseOptions(query: URLSearchParams, kind: OptionsKind, errors: FieldError[]): WriteOptions {
  const fieldManager = query.get("fieldManager") ?? "";
  errors.push(...validateFieldManager(fieldManager, "fieldManager"));
  const dryRun = parseDryRun(query.getAll("dryRun"), errors);
  const asked = query.get("fieldValidation") ?? "";
  const fieldValidation = asked === "" ? "Warn" : fieldValidations.find((item) => item === asked);
  if (fieldValidation === undefined) {
    errors.push(fieldError.notSupported("fieldValidation", asked, ["", ...fieldValidations]));
  }
  if (errors.length > 0 || fieldValidation === undefined) {
    throw invalid({ group: "meta.k8s.io", kind }, "", errors);
  }
  return { dryRun, fieldValidation, asksForFieldValidation: asked !== "", fieldManager };
}

/** The options of a write that states none. */
export const noWriteOptions: WriteOptions = Object.freeze({
  dryRun: false,
  fieldValidation: "Warn",
  asksForFieldValidation: false,
  fieldManager: "",
});

/** Parses `dryRun`: `All`, or present without a value. */
export function parseDryRun(values: readonly string[], errors: FieldError[]): boolean {
  if (values.some((value) => value !== "All" && value !== "")) {
    errors.push(fieldError.notSupported("dryRun", [...values], ["All"]));
  }
  return values.length > 0;
}
