import { goPointer } from "../go/pointer.js";
import { goQuote } from "../go/quote.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.js";
import { type FieldError, fieldError, hasEnoughErrors } from "../status/field-error.js";

/** Checks that every owner is fully named, is of a kind that may own, and that no more than one is the controller. */
export function validateOwnerReferences(references: JsonValue | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const owners = Array.isArray(references) ? references.filter(isJsonObject) : [];
  let controller: string | undefined;
  let shown: string | undefined;
  for (const owner of owners) {
    if (hasEnoughErrors(errors)) {
      break;
    }
    errors.push(...validateOwner(owner, field));
    if (owner["controller"] !== true) {
      continue;
    }
    const name = `${text(owner, "kind")}/${text(owner, "name")}`;
    if (controller === undefined) {
      controller = name;
      continue;
    }
    // Each error shows all owners; made once, they are one text in memory.
    shown ??= goOwnerReferences(owners);
    errors.push(
      invalid(
        field,
        shown,
        `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`,
      ),
    );
  }
  return errors;
}

function validateOwner(owner: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const apiVersion = text(owner, "apiVersion");
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  // Text with several slashes is no group version at all.
  if (version === "" || version.includes("/")) {
    errors.push(fieldError.invalid(`${field}.apiVersion`, apiVersion, "version must not be empty"));
  }
  for (const key of ["kind", "name", "uid"]) {
    if (text(owner, key) === "") {
      errors.push(fieldError.invalid(`${field}.${key}`, "", `${key} must not be empty`));
    }
  }
  // Events expire on their own and in numbers; nothing may hang on one.
  if (apiVersion === "v1" && text(owner, "kind") === "Event") {
    errors.push(invalid(field, goStruct(owner), "/v1, Kind=Event is disallowed from being an owner"));
  }
  return errors;
}

function text(owner: JsonObject, key: string): string {
  const value = owner[key];
  return typeof value === "string" ? value : "";
}

/** The references as Go's `%#v` writes them. */
export function goOwnerReferences(owners: readonly JsonObject[]): string {
  return `[]v1.OwnerReference{${owners.map(goStruct).join(", ")}}`;
}

function goStruct(owner: JsonObject): string {
  const members = [
    `APIVersion:${goQuote(text(owner, "apiVersion"))}`,
    `Kind:${goQuote(text(owner, "kind"))}`,
    `Name:${goQuote(text(owner, "name"))}`,
    `UID:${goQuote(text(owner, "uid"))}`,
    `Controller:${goPointer("bool", owner["controller"])}`,
    `BlockOwnerDeletion:${goPointer("bool", owner["blockOwnerDeletion"])}`,
  ];
  return `v1.OwnerReference{${members.join(", ")}}`;
}

function invalid(field: string, shown: string, detail: string): FieldError {
  return { type: "FieldValueInvalid", field, message: `Invalid value: ${shown}: ${detail}` };
}
