import { copyIfEmpty, type DefaultingFunctions, inPackage, setIfAbsent } from "../../defaults/defaulting-function.js";
import { objectAt } from "../../json/json-fields.js";
import { ownObject } from "../../json/own-members.js";

/** Defaults of ReplicationController: one replica; selector and labels are those of the template. */
export const replicationControllerDefaults: DefaultingFunctions = inPackage("k8s.io.api.core.v1", {
  ReplicationController(controller) {
    const spec = ownObject(controller, "spec");
    const labels = objectAt(spec, "template", "metadata", "labels");
    copyIfEmpty(spec, "selector", labels);
    copyIfEmpty(ownObject(controller, "metadata"), "labels", labels);
    setIfAbsent(spec, "replicas", 1);
  },
});
