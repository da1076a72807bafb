import type { ServedGroup, ServedGroupVersion } from "./served-api.js";

/** Reports whether everything in a group comes from definitions of custom resources. */
export function isCustomGroup({ versions }: ServedGroup): boolean {
  return versions.every(isCustomGroupVersion);
}

/** Reports whether everything in a group version comes from definitions of custom resources. */
export function isCustomGroupVersion({ resources }: ServedGroupVersion): boolean {
  return resources.length > 0 && resources.every(({ openAPIV3Schema }) => openAPIV3Schema !== undefined);
}
