import { copyIfEmpty, type DefaultingRules, rulesOf, setIfAbsent } from "../../defaults/defaulting-rule.js";
import { objectAt } from "../../json/json-fields.js";
import { ownObject } from "../../json/own-members.js";

/** Defaults of ReplicationController: one replica; selector and labels are those of the template. */
export const replicationControllerDefaults: DefaultingRules = rulesOf("k8s.io.api.core.v1", {
  ReplicationController(controller) {
    const spec = ownObject(controller, "spec");
    const labels = objectAt(spec, "template", "metadata", "labels");
    copyIfEmpty(spec, "selector", labels);
    copyIfEmpty(ownObject(controller, "metadata"), "labels", labels);
    setIfAbsent(spec, "replicas", 1);
  },
});
