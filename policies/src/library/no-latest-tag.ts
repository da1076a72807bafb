import type { coreV1, gatehouseadmissionV1alpha1 } from "@gatehouse/envelopes/types";
import { parseImageReference } from "../images/image-reference.js";
import { podContainers } from "./pod-containers.js";
import type { Violation } from "./violation.js";

/** Finds containers of a pod whose image tag may name another image tomorrow. */
export function noLatestTag(
  pod: coreV1.Pod,
  { requireDigest = false }: gatehouseadmissionV1alpha1.NoLatestTag,
): Violation[] {
  return podContainers(pod).flatMap(({ field, container }) => {
    const { tag, digest } = parseImageReference(container.image ?? "");
    if (digest !== "") {
      return [];
    }
    const image = JSON.stringify(container.image ?? "");
    if (requireDigest) {
      return [{ field: `${field}.image`, message: `${image} must be named by digest` }];
    }
    return tag === "" || tag === "latest"
      ? [{ field: `${field}.image`, message: `${image} must say which version it is, by a tag other than latest` }]
      : [];
  });
}
