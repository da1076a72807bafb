import { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { type ConfigDocument, ConfigurationError, checkConfigDocument, problemAt } from "@gatehouse/component-base";
import type { JsonArray, podtolerationrestrictionV1alpha1 } from "@gatehouse/envelopes";
import { checkTolerations } from "../../validation/tolerations.js";

/** For namespaces that say nothing. */
export interface ClusterTolerations {
  /** What pods get. */
  readonly defaults: JsonArray;
  /** What they may have; all when empty. */
  readonly allowed: JsonArray;
}

const kinds = [{ group: "podtolerationrestriction.admission.k8s.io", version: "v1alpha1", kind: "Configuration" }];

/** Reads the configuration. Throws ConfigurationError with all that is wrong with it. */
export async function readClusterTolerations(document: ConfigDocument | undefined): Promise<ClusterTolerations> {
  if (document === undefined) {
    return { defaults: [], allowed: [] };
  }
  const content = await checkConfigDocument<podtolerationrestrictionV1alpha1.Configuration>(document, kinds);
  const defaults = (content.default ?? []) as unknown as JsonArray;
  const allowed = (content.whitelist ?? []) as unknown as JsonArray;
  const errors = new FieldErrors();
  checkTolerations(defaults, FieldPath.of("default"), errors);
  checkTolerations(allowed, FieldPath.of("whitelist"), errors);
  if (errors.list.length > 0) {
    throw new ConfigurationError(
      document.subject,
      errors.list.map(({ field, message }) => problemAt(field, message)),
    );
  }
  return { defaults, allowed };
}
