import type { coreV1, gatehouseadmissionV1alpha1 } from "@gatehouse/envelopes/types";
import { describeImage, isImageBelow, parseImageReference } from "../images/image-reference.js";
import { podContainers } from "./pod-containers.js";
import type { Violation } from "./violation.js";

/** Finds containers of a pod whose image comes from none of the registries. */
export function imageRegistries(
  pod: coreV1.Pod,
  { registries }: gatehouseadmissionV1alpha1.ImageRegistries,
): Violation[] {
  return podContainers(pod).flatMap(({ field, container }) => {
    const image = parseImageReference(container.image ?? "");
    return registries.some((place) => isImageBelow(image, place))
      ? []
      : [
          {
            field: `${field}.image`,
            message: `${describeImage(container.image ?? "", image)} comes from ${image.registry}, must come from ${registries.join(" or ")}`,
          },
        ];
  });
}
