import { type FieldError, fieldError, invalid } from "@gatehouse/envelopes";

export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** Query parameters that create, update and patch share (CreateOptions, UpdateOptions, PatchOptions). */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  readonly fieldManager: string;
}

type OptionsKind = "CreateOptions" | "UpdateOptions" | "PatchOptions";

const fieldValidations: readonly FieldValidation[] = ["Ignore", "Strict", "Warn"];
const maxFieldManagerLength = 128;

/** Reads and checks the options of a write; every problem is listed in one Invalid error, as v1.29 does. */
export function parseWriteOptions(query: URLSearchParams, kind: OptionsKind): WriteOptions {
  if (query.size === 0) {
    return defaults;
  }
  const errors: FieldError[] = [];
  const dryRun = parseDryRun(query.getAll("dryRun"), errors);
  const asked = query.get("fieldValidation") ?? "";
  const fieldValidation = asked === "" ? "Warn" : fieldValidations.find((item) => item === asked);
  if (fieldValidation === undefined) {
    errors.push(fieldError.notSupported("fieldValidation", asked, ["", ...fieldValidations]));
  }
  const fieldManager = query.get("fieldManager") ?? "";
  errors.push(...validateFieldManager(fieldManager));
  if (kind === "PatchOptions" && query.get("force") !== null) {
    errors.push(fieldError.forbidden("force", "may not be specified for non-apply patch"));
  }
  if (errors.length > 0 || fieldValidation === undefined) {
    throw invalid({ group: "meta.k8s.io", kind }, "", errors);
  }
  return { dryRun, fieldValidation, fieldManager };
}

const defaults: WriteOptions = Object.freeze({ dryRun: false, fieldValidation: "Warn", fieldManager: "" });

/** `All`, or present without a value (SPEC "Query parameters"). */
export function parseDryRun(values: readonly string[], errors: FieldError[]): boolean {
  for (const value of values) {
    if (value !== "All" && value !== "") {
      errors.push(fieldError.notSupported("dryRun", value, ["All"]));
    }
  }
  return values.length > 0;
}

function validateFieldManager(manager: string): FieldError[] {
  if (Buffer.byteLength(manager) > maxFieldManagerLength) {
    return [fieldError.tooLong("fieldManager", maxFieldManagerLength)];
  }
  const bad = [...manager].find((character) => !isPrintable(character));
  return bad === undefined
    ? []
    : [fieldError.invalid("fieldManager", manager, `the character at index ${manager.indexOf(bad)} is not printable`)];
}

function isPrintable(character: string): boolean {
  return !/[\p{C}\p{Zl}\p{Zp}]/u.test(character) && (character === " " || !/\p{Zs}/u.test(character));
}
