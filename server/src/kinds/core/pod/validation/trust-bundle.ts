import {
  type FieldErrors,
  type FieldPath,
  goLabelSelector,
  validateLabelSelector,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { goSyntax } from "@gatehouse/envelopes/go";
import { isSet, type JsonValue, textAt, valueAt } from "@gatehouse/envelopes/json";
import { validateSubdomainName } from "@gatehouse/envelopes/validation";
import { validateNonReservedPath } from "../../../../validation/file-paths.js";
import { validateSignerName } from "../../../../validation/signer-name.js";

/** Validates the projection of a ClusterTrustBundle by name, or of all of a signer that labels select. */
export function validateTrustBundle(bundle: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const byName = isSet(bundle, "name");
  const bySigner = isSet(bundle, "signerName");
  if (byName && bySigner) {
    const shown = goSyntax("k8s.io.api.core.v1.ClusterTrustBundleProjection", bundle);
    errors.invalidShown(path, shown, "only one of name and signerName may be used");
  } else if (byName) {
    validateBundleName(textAt(bundle, "name"), path.child("name"), errors);
    const selector = valueAt(bundle, "labelSelector");
    if (isSet(bundle, "labelSelector")) {
      const detail = "labelSelector must be unset if name is specified";
      errors.invalidShown(path.child("labelSelector"), goLabelSelector(selector), detail);
    }
  } else if (bySigner) {
    if (textAt(bundle, "signerName") === "") {
      errors.required(path.child("signerName"), "must be a valid signer name");
    }
    validateSignerName(textAt(bundle, "signerName"), path.child("signerName"), errors);
    validateLabelSelector(valueAt(bundle, "labelSelector"), path.child("labelSelector"), errors);
  } else {
    errors.required(path, "either name or signerName must be specified");
  }
  const file = textAt(bundle, "path");
  validateRequiredText(file, path.child("path"), errors);
  validateNonReservedPath(file, path.child("path"), errors);
}

function validateBundleName(name: string, path: FieldPath, errors: FieldErrors): void {
  validateRequiredText(name, path, errors, "must be a valid object name");
  // Names of bundles with a signer begin with the signer's name, with colons for slashes; the last part remains.
  const own = name.slice(name.lastIndexOf(":") + 1);
  const problems = validateSubdomainName(own).map((problem) => `not a valid clustertrustbundlename: ${problem}`);
  errors.invalidText(path, name, problems);
}
