import type { AdmissionPlugin, SortOfWrite } from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import { isSet, ownObject } from "@gatehouse/envelopes/json";
import { defaultClass } from "./default-class.js";
import type { PluginParts } from "./plugin-parts.js";

const ingressClasses = { group: "networking.k8s.io", resource: "ingressclasses" };
/** The annotation that named the class of an ingress before there was a field for it. */
const classAnnotation = "kubernetes.io/ingress.class";

/** DefaultIngressClass: a new ingress that names no class gets the default one. */
export function defaultIngressClass({ objects }: Pick<PluginParts, "objects">): AdmissionPlugin {
  const defaultName = defaultClass(objects, ingressClasses, ["ingressclass.kubernetes.io/is-default-class"]);
  return {
    name: "DefaultIngressClass",
    concerns: isNewIngress,
    admit(attributes) {
      const ingress = attributes.object;
      if (
        ingress === undefined ||
        isSet(ingress, "spec", "ingressClassName") ||
        Object.hasOwn(metaOf(ingress).annotations ?? {}, classAnnotation)
      ) {
        return;
      }
      const name = defaultName();
      if (name !== undefined) {
        attributes.mutate(() => {
          ownObject(ingress, "spec")["ingressClassName"] = name;
          return undefined;
        });
      }
    },
  };
}

function isNewIngress({ operation, resource, subresource }: SortOfWrite): boolean {
  return (
    operation === "CREATE" &&
    resource.group === "networking.k8s.io" &&
    resource.resource === "ingresses" &&
    subresource === ""
  );
}
