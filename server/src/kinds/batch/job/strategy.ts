import type { JsonObject } from "@gatehouse/envelopes";
import type { ResourceStrategy } from "../../../catalogue/resource-definition.js";
import { booleanAt } from "../../../objects/json-fields.js";
import { metaOf } from "../../../objects/object-meta.js";
import { ownObject } from "../../../objects/own-members.js";

const controllerUidLabel = "batch.kubernetes.io/controller-uid";
const jobNameLabel = "batch.kubernetes.io/job-name";
/** The same labels as they were called before 1.27; pods still carry both. */
const legacyControllerUidLabel = "controller-uid";
const legacyJobNameLabel = "job-name";

/** Jobs find their pods by a label with their own uid, unless `manualSelector` says that the client knows better. */
export const jobStrategy: ResourceStrategy = {
  prepareForCreate(job) {
    if (!booleanAt(job, "spec", "manualSelector")) {
      generateSelector(job);
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
