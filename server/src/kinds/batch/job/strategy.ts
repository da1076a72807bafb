import { metaOf } from "@gatehouse/apiserver/objects";
import { generationOfSpec, type KindStrategy, type StatedPropagation } from "@gatehouse/apiserver/registry";
import { copyIfEmpty } from "@gatehouse/envelopes/defaults";
import { booleanAt, type JsonObject, objectAt, ownObject } from "@gatehouse/envelopes/json";
import { validateLabelValue } from "@gatehouse/envelopes/validation";
import { dropDisabledPolicies } from "./disabled-policies.js";
import { controllerUidLabel, jobNameLabel, legacyControllerUidLabel, legacyJobNameLabel } from "./labels.js";
import { jobValidation } from "./validation/index.js";
import { jobWarnings } from "./warnings.js";

/** The strategy of Job: it generates a selector by the job's uid, unless `manualSelector` is set. */
export const jobStrategy: KindStrategy = {
  validation: jobValidation,
  warnings: jobWarnings,
  metadata: { rechecks: "inValidation" },
  generation: generationOfSpec,
  create: {
    prepareForCreate(job, { features }) {
      dropDisabledPolicies(job, undefined, features);
      if (!booleanAt(job, "spec", "manualSelector")) {
        generateSelector(job);
      }
      // Defaulting does the same on read. Invalid labels are reported by the rules of the template.
      if (validateLabelValue(metaOf(job).name ?? "").length === 0) {
        copyIfEmpty(ownObject(job, "metadata"), "labels", objectAt(job, "spec", "template", "metadata", "labels"));
      }
    },
  },
  update: {
    prepareForUpdate(job, old, { features }) {
      dropDisabledPolicies(job, old, features);
    },
  },
  deletion: { defaultPropagation: "Orphan", warningsOnDelete: warnAboutOrphans },
};

/** Returns the warning for a deletion that leaves it open what becomes of the pods, which then stay. */
function warnAboutOrphans({ propagationPolicy, orphanDependents }: StatedPropagation): readonly string[] {
  return propagationPolicy === undefined && orphanDependents === undefined
    ? [
        "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
      ]
    : [];
}

/**
 * Generates selector and labels. Values that the client has set stay; validation compares them with the generated ones.
 */
function generateSelector(job: JsonObject): void {
  const { name = "", uid = "" } = metaOf(job);
  const spec = ownObject(job, "spec");
  const labels = ownObject(ownObject(ownObject(spec, "template"), "metadata"), "labels");
  labels[legacyJobNameLabel] ??= name;
  labels[jobNameLabel] ??= name;
  labels[legacyControllerUidLabel] ??= uid;
  labels[controllerUidLabel] ??= uid;
  ownObject(ownObject(spec, "selector"), "matchLabels")[controllerUidLabel] ??= uid;
}
