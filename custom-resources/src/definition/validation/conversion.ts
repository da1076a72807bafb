import { type FieldErrors, type FieldPath, validateWebhookClientConfig } from "@gatehouse/apiserver/validation";
import { isJsonObject, type JsonArray, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { validateDns1035Label } from "@gatehouse/envelopes/validation";

const reviewVersions = ["v1", "v1beta1"];

/** Validates the conversion between versions. The paths are those of the form before v1. */
export function validateConversion(
  conversion: JsonObject,
  requiresKnownReview: boolean,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const strategy = textAt(conversion, "strategy");
  if (strategy === "") {
    errors.required(path.child("strategy"));
  } else if (strategy !== "None" && strategy !== "Webhook") {
    errors.notSupported(path.child("strategy"), strategy, ["None", "Webhook"]);
  }
  const webhook = objectAt(conversion, "webhook");
  const { clientConfig } = webhook;
  const versions = listAt(webhook, "conversionReviewVersions");
  if (strategy === "Webhook") {
    validateClient(isJsonObject(clientConfig) ? clientConfig : undefined, path.child("webhookClientConfig"), errors);
    validateReviewVersions(versions, requiresKnownReview, path.child("conversionReviewVersions"), errors);
    return;
  }
  const unwanted = "should not be set when strategy is not set to Webhook";
  if (isJsonObject(clientConfig)) {
    errors.forbidden(path.child("webhookClientConfig"), unwanted);
  }
  if (versions.length > 0) {
    errors.forbidden(path.child("conversionReviewVersions"), unwanted);
  }
}

/** Reports whether v1.29 can send one of the review versions; none at all counts as yes. */
export function hasKnownReviewVersion(versions: JsonArray): boolean {
  return versions.length === 0 || versions.some((version) => reviewVersions.includes(String(version)));
}

function validateClient(client: JsonObject | undefined, path: FieldPath, errors: FieldErrors): void {
  if (client === undefined) {
    errors.required(path, "required when strategy is set to Webhook");
  } else {
    validateWebhookClientConfig(client, path, errors);
  }
}

function validateReviewVersions(
  versions: JsonArray,
  requiresKnown: boolean,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (versions.length === 0) {
    errors.required(path);
    return;
  }
  const seen = new Set<string>();
  for (const [index, item] of versions.entries()) {
    const version = String(item);
    if (seen.has(version)) {
      errors.invalid(path.index(index), version, "duplicate version");
      continue;
    }
    seen.add(version);
    for (const problem of validateDns1035Label(version)) {
      errors.invalid(path.index(index), version, problem);
    }
    if (errors.isFull) {
      return;
    }
  }
  if (requiresKnown && !hasKnownReviewVersion(versions)) {
    errors.invalid(path, versions, `must include at least one of ${reviewVersions.join(", ")}`);
  }
}
