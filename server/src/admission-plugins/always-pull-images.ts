import {
  type AdmissionAttributes,
  type AdmissionPlugin,
  bareRefusal,
  isCoreWrite,
  refusal,
} from "@gatehouse/apiserver/admission";
import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { fieldError } from "@gatehouse/envelopes/status";
import { containersOf } from "./pods.js";

const always = "Always";

/** AlwaysPullImages: nobody runs an image that is on the node already without being allowed to pull it. */
export function alwaysPullImages(): AdmissionPlugin {
  return {
    name: "AlwaysPullImages",
    concerns: (write) => isCoreWrite(write, "pods", ["CREATE", "UPDATE"]),
    admit(attributes) {
      if (hasNoNewImage(attributes) || othersOf(attributes.object as JsonObject).length === 0) {
        return;
      }
      attributes.mutate((pod) => {
        for (const container of othersOf(pod)) {
          container["imagePullPolicy"] = always;
        }
        return undefined;
      });
    },
    validate(attributes) {
      const pod = attributes.object as JsonObject;
      if (hasNoNewImage(attributes) || othersOf(pod).length === 0) {
        return;
      }
      const texts = (["initContainers", "containers", "ephemeralContainers"] as const).flatMap((list) =>
        listAt(pod, "spec", list).flatMap((container, index) => {
          const policy = textAt(container, "imagePullPolicy");
          const path = `spec.${list}[${index}].imagePullPolicy`;
          const { message } = fieldError.notSupported(path, policy, [always]);
          return policy === always ? [] : [refusal(attributes, `${path}: ${message}`).message];
        }),
      );
      throw bareRefusal(texts.length === 1 ? (texts[0] ?? "") : `[${texts.join(", ")}]`);
    },
  };
}

function othersOf(pod: JsonObject): JsonObject[] {
  return containersOf(pod).filter((container) => container["imagePullPolicy"] !== always);
}

/**
 * Reports whether an update adds no image. The pull policies of stored pods cannot change, so old images are exempt.
 */
function hasNoNewImage({ operation, object = {}, oldObject = {} }: AdmissionAttributes): boolean {
  if (operation !== "UPDATE") {
    return false;
  }
  const known = new Set(containersOf(oldObject).map(({ image }) => image));
  return containersOf(object).every(({ image }) => known.has(image));
}
