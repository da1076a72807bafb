import { metaOf } from "@gatehouse/apiserver/objects";
import type { ResourceStrategy } from "@gatehouse/apiserver/registry";
import { booleanAt, checkLabelValue, copyIfEmpty, type JsonObject, objectAt, ownObject } from "@gatehouse/envelopes";
import { controllerUidLabel, jobNameLabel, legacyControllerUidLabel, legacyJobNameLabel } from "./labels.js";

/** Jobs find their pods by a label with their own uid, unless `manualSelector` says that the client knows better. */
export const jobStrategy: ResourceStrategy = {
  prepareForCreate(job) {
    if (!booleanAt(job, "spec", "manualSelector")) {
      generateSelector(job);
    }
    // As defaulting does when the object is read: of labels that are none, validation has said so of the template.
    if (checkLabelValue(metaOf(job).name ?? "").length === 0) {
      copyIfEmpty(ownObject(job, "metadata"), "labels", objectAt(job, "spec", "template", "metadata", "labels"));
    }
  },
};

/** Values that the client has set stay; validation compares them with what they must be. */
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
