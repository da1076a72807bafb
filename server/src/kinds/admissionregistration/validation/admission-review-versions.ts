import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { type JsonValue, textsAt } from "@gatehouse/envelopes/json";
import { validateDns1035Label } from "@gatehouse/envelopes/validation";

const known = ["v1", "v1beta1"];

/**
 * Validates the versions of reviews that a webhook understands; with `needsKnown`, this server must know one of them.
 */
export function validateAdmissionReviewVersions(
  webhook: JsonValue,
  path: FieldPath,
  errors: FieldErrors,
  needsKnown: boolean,
): void {
  const versions = textsAt(webhook, "admissionReviewVersions");
  if (versions.length === 0) {
    errors.required(path, `must specify one of ${known.join(", ")}`);
    return;
  }
  const seen = new Set<string>();
  for (const [index, version] of versions.entries()) {
    if (errors.isFull) {
      return;
    }
    if (seen.has(version)) {
      errors.invalid(path.index(index), version, "duplicate version");
    } else {
      errors.invalidText(path.index(index), version, validateDns1035Label(version));
    }
    seen.add(version);
  }
  if (needsKnown && !hasKnownReviewVersion(versions)) {
    errors.invalid(path, versions, `must include at least one of ${known.join(", ")}`);
  }
}

/** Reports whether this server can send one of the versions. */
export function hasKnownReviewVersion(versions: readonly string[]): boolean {
  return versions.some((version) => known.includes(version));
}
