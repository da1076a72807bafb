import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { checkFormat, checkRequiredText } from "@gatehouse/apiserver/validation";
import { checkDns1123Subdomain, isSet, type JsonValue, textAt } from "@gatehouse/envelopes";

/** Limit on the name of a CSI driver, in bytes. */
const maxDriverName = 63;

/** Validates the name of a CSI driver: a subdomain in upper or lower case. */
export function checkCsiDriverName(driver: string, path: FieldPath, errors: FieldErrors): void {
  checkRequiredText(driver, path, errors);
  if (Buffer.byteLength(driver) > maxDriverName) {
    errors.tooLong(path, maxDriverName);
  }
  errors.invalidText(path, driver, checkDns1123Subdomain(driver.toLowerCase()));
}

/** Validates a volume that a CSI driver makes for one pod. Errors in the form of the secret's name are at `name`. */
export function checkInlineCsi(csi: JsonValue, path: FieldPath, errors: FieldErrors): void {
  checkCsiDriverName(textAt(csi, "driver"), path.child("driver"), errors);
  if (!isSet(csi, "nodePublishSecretRef")) {
    return;
  }
  const name = textAt(csi, "nodePublishSecretRef", "name");
  if (checkRequiredText(name, path.child("nodePublishSecretRef").child("name"), errors)) {
    checkFormat(name, checkDns1123Subdomain, path.child("name"), errors);
  }
}
