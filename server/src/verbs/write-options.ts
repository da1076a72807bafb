import { type FieldError, fieldError, invalid } from "@gatehouse/envelopes";

/** What becomes of unknown and duplicate fields: dropped, dropped with a warning, or refused (KEP-2885). */
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
    return noWriteOptions;
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

/** What a write is done with when nobody says otherwise. */
export const noWriteOptions: WriteOptions = Object.freeze({ dryRun: false, fieldValidation: "Warn", fieldManager: "" });

/** `All`, or present without a value (SPEC "Query parameters"). */
export function parseDryRun(values: readonly string[], errors: FieldError[]): boolean {
  if (values.some((value) => value !== "All" && value !== "")) {
    errors.push(fieldError.notSupported("dryRun", [...values], ["All"]));
  }
  return values.length > 0;
}

function validateFieldManager(manager: string): FieldError[] {
  if (Buffer.byteLength(manager) > maxFieldManagerLength) {
    return [fieldError.tooLong("fieldManager", maxFieldManagerLength)];
  }
  const bad = [...manager].find((character) => !isPrintable(character));
  if (bad === undefined) {
    return [];
  }
  const code = (bad.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const position = Buffer.byteLength(manager.slice(0, manager.indexOf(bad)));
  return [fieldError.invalid("fieldManager", manager, `invalid character U+${code} (at position ${position})`)];
}

function isPrintable(character: string): boolean {
  return !/[\p{C}\p{Zl}\p{Zp}]/u.test(character) && (character === " " || !/\p{Zs}/u.test(character));
}
