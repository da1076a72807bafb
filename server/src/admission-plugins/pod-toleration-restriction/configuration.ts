import { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { type ConfigDocument, checkConfigDocument } from "@gatehouse/component-base/config-documents";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { problemAt } from "@gatehouse/component-base/problems";
import type { JsonArray } from "@gatehouse/envelopes/json";
import type { podtolerationrestrictionV1alpha1 } from "@gatehouse/envelopes/types";
import { validateTolerations } from "../../validation/tolerations.js";

/** The tolerations for namespaces that state none. */
export interface ClusterTolerations {
  /** Tolerations that pods get. */
  readonly defaults: JsonArray;
  /** Tolerations that pods may have; empty for all. */
  readonly allowed: JsonArray;
}

const kinds = [{ group: "podtolerationrestriction.admission.k8s.io", version: "v1alpha1", kind: "Configuration" }];

/** Reads the configuration. Throws ConfigurationError with all its faults. */
export async function readClusterTolerations(document: ConfigDocument | undefined): Promise<ClusterTolerations> {
  if (document === undefined) {
    return { defaults: [], allowed: [] };
  }
  const content = await checkConfigDocument<podtolerationrestrictionV1alpha1.Configuration>(document, kinds);
  const defaults = (content.default ?? []) as unknown as JsonArray;
  const allowed = (content.whitelist ?? []) as unknown as JsonArray;
  const errors = new FieldErrors();
  validateTolerations(defaults, FieldPath.of("default"), errors);
  validateTolerations(allowed, FieldPath.of("whitelist"), errors);
  if (errors.list.length > 0) {
    throw new ConfigurationError(
      document.subject,
      errors.list.map(({ field, message }) => problemAt(field, message)),
    );
  }
  return { defaults, allowed };
}
