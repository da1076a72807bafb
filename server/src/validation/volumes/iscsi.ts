import { type FieldErrors, type FieldPath, validateRange, validateRequiredText } from "@gatehouse/apiserver/validation";
import { booleanAt, integerAt, isSet, type JsonValue, textAt } from "@gatehouse/envelopes/json";

/** Forms of names of initiators and targets, by their first three letters (RFC 3720, RFC 3980). */
const nameForms: ReadonlyMap<string, (name: string) => boolean> = new Map([
  ["iqn", isQualified],
  ["eui", (name: string) => /^eui.[A-Za-z0-9]{16}$/.test(name)],
  ["naa", (name: string) => /^naa.[A-Za-z0-9]{32}$/.test(name)],
]);

/**
 * Reports whether a name ends in `iqn.<year>-<month>.<name>:<rest>`; any text may precede it. A single regular
 * expression would need quadratic time to fail.
 */
function isQualified(name: string): boolean {
  const end = name.split(/[,;*&$|\t\n\f\r ]/).at(-1) ?? "";
  const parts = end.split(/([^A-Za-z0-9.-])/);
  return parts.some(
    (part, index) =>
      parts[index + 1] === ":" &&
      (parts[index + 2] !== "" || parts.length > index + 3) &&
      /iqn\.\d{4}-\d{2}\../.test(part),
  );
}

/** Limit on `<volume name>:<target portal>` if the initiator is named, in bytes. */
const maxPortalBytes = 64;

/**
 * Validates an iSCSI volume of a pod or a persistent volume, for which v1.29 has different messages. `volumeName` is
 * the name of the volume.
 */
export function validateIscsi(
  iscsi: JsonValue,
  volumeName: string,
  where: "pod" | "persistentVolume",
  path: FieldPath,
  errors: FieldErrors,
): void {
  validateRequiredText(textAt(iscsi, "targetPortal"), path.child("targetPortal"), errors);
  if (where === "persistentVolume") {
    validatePortalLength(iscsi, volumeName, where, path, errors);
  }
  const iqn = textAt(iscsi, "iqn");
  const detail = where === "pod" ? "must be valid format starting with iqn, eui, or naa" : "must be valid format";
  if (validateRequiredText(iqn, path.child("iqn"), errors)) {
    validateName(iqn, detail, path.child("iqn"), errors);
  }
  validateRange(integerAt(iscsi, "lun"), [0, 255], path.child("lun"), errors);
  const needsSecret = booleanAt(iscsi, "chapAuthDiscovery") || booleanAt(iscsi, "chapAuthSession");
  if (needsSecret && !isSet(iscsi, "secretRef")) {
    errors.required(path.child("secretRef"));
  }
  if (where === "persistentVolume" && isSet(iscsi, "secretRef") && textAt(iscsi, "secretRef", "name") === "") {
    errors.required(path.child("secretRef").child("name"));
  }
  if (isSet(iscsi, "initiatorName")) {
    validateName(textAt(iscsi, "initiatorName"), detail, path.child("initiatorname"), errors);
  }
}

/**
 * Validates the length of volume name and target portal together, which is limited if the initiator is named. `path` is
 * that of the source.
 */
export function validatePortalLength(
  iscsi: JsonValue,
  volumeName: string,
  where: "pod" | "persistentVolume",
  path: FieldPath,
  errors: FieldErrors,
): void {
  const portal = textAt(iscsi, "targetPortal");
  if (!isSet(iscsi, "initiatorName") || Buffer.byteLength(`${volumeName}:${portal}`) <= maxPortalBytes) {
    return;
  }
  const detail =
    "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";
  if (where === "pod") {
    errors.invalid(path, volumeName, detail);
  } else {
    errors.invalid(path.child("targetportal"), portal, detail);
  }
}

function validateName(name: string, unknownForm: string, path: FieldPath, errors: FieldErrors): void {
  const form = nameForms.get(name.slice(0, 3));
  if (form === undefined) {
    errors.invalid(path, name, unknownForm);
  } else if (!form(name)) {
    errors.invalid(path, name, "must be valid format");
  }
}
