import { type FieldErrors, type FieldPath, validateRequiredText } from "@gatehouse/apiserver/validation";
import { toLower } from "@gatehouse/envelopes/go";
import { type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { validateDns1035Label, validateDns1123Subdomain } from "@gatehouse/envelopes/validation";

/** Validates the kind of a policy's parameters. */
export function validateParamKind(paramKind: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const apiVersion = textAt(paramKind, "apiVersion");
  if (validateRequiredText(apiVersion, path.child("apiVersion"), errors)) {
    validateGroupVersion(apiVersion, path.child("apiVersion"), errors);
  }
  const kind = textAt(paramKind, "kind");
  if (validateRequiredText(kind, path.child("kind"), errors)) {
    const problems = validateDns1035Label(toLower(kind));
    if (problems.length > 0) {
      const detail = `may have mixed case, but should otherwise match: ${problems.join(",")}`;
      errors.invalid(path.child("kind"), kind, detail);
    }
  }
}

function validateGroupVersion(apiVersion: string, path: FieldPath, errors: FieldErrors): void {
  const parts = apiVersion === "/" ? [""] : apiVersion.split("/");
  if (parts.length > 2) {
    errors.invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
    return;
  }
  const version = parts.pop() ?? "";
  const group = parts[0] ?? "";
  const groupProblems = group === "" ? [] : validateDns1123Subdomain(group);
  if (groupProblems.length > 0) {
    errors.invalid(path, group, groupProblems.join(","));
  }
  if (version === "") {
    errors.invalid(path, apiVersion, "version must be specified");
    return;
  }
  const versionProblems = validateDns1035Label(version);
  if (versionProblems.length > 0) {
    errors.invalid(path, version, versionProblems.join(","));
  }
}
