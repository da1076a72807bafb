import { checkRequiredText, type FieldErrors, type FieldPath } from "@gatehouse/apiserver/validation";
import { type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { checkDns1035Label, checkDns1123Subdomain } from "@gatehouse/envelopes/validation";

/** Validates the kind of a policy's parameters. */
export function checkParamKind(paramKind: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const apiVersion = textAt(paramKind, "apiVersion");
  if (checkRequiredText(apiVersion, path.child("apiVersion"), errors)) {
    checkGroupVersion(apiVersion, path.child("apiVersion"), errors);
  }
  const kind = textAt(paramKind, "kind");
  if (checkRequiredText(kind, path.child("kind"), errors)) {
    const problems = checkDns1035Label(kind.toLowerCase());
    if (problems.length > 0) {
      const detail = `may have mixed case, but should otherwise match: ${problems.join(",")}`;
      errors.invalid(path.child("kind"), kind, detail);
    }
  }
}

function checkGroupVersion(apiVersion: string, path: FieldPath, errors: FieldErrors): void {
  const parts = apiVersion === "/" ? [""] : apiVersion.split("/");
  if (parts.length > 2) {
    errors.invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
    return;
  }
  const version = parts.pop() ?? "";
  const group = parts[0] ?? "";
  const groupProblems = group === "" ? [] : checkDns1123Subdomain(group);
  if (groupProblems.length > 0) {
    errors.invalid(path, group, groupProblems.join(","));
  }
  if (version === "") {
    errors.invalid(path, apiVersion, "version must be specified");
    return;
  }
  const versionProblems = checkDns1035Label(version);
  if (versionProblems.length > 0) {
    errors.invalid(path, version, versionProblems.join(","));
  }
}
