import {
  type FieldErrors,
  type FieldPath,
  validateFormat,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { toLower } from "@gatehouse/envelopes/go";
import { isSet, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { validateDns1123Subdomain } from "@gatehouse/envelopes/validation";

/** Limit on the name of a CSI driver, in bytes. */
const maxDriverName = 63;

/** Validates the name of a CSI driver: a subdomain in upper or lower case. */
export function validateCsiDriverName(driver: string, path: FieldPath, errors: FieldErrors): void {
  validateRequiredText(driver, path, errors);
  if (Buffer.byteLength(driver) > maxDriverName) {
    errors.tooLong(path, maxDriverName);
  }
  errors.invalidText(path, driver, validateDns1123Subdomain(toLower(driver)));
}

/** Validates a volume that a CSI driver makes for one pod. Errors in the form of the secret's name are at `name`. */
export function validateInlineCsi(csi: JsonValue, path: FieldPath, errors: FieldErrors): void {
  validateCsiDriverName(textAt(csi, "driver"), path.child("driver"), errors);
  if (!isSet(csi, "nodePublishSecretRef")) {
    return;
  }
  const name = textAt(csi, "nodePublishSecretRef", "name");
  if (validateRequiredText(name, path.child("nodePublishSecretRef").child("name"), errors)) {
    validateFormat(name, validateDns1123Subdomain, path.child("name"), errors);
  }
}
