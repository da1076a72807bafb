export { addDefaultTolerations } from "./default-tolerations.js";
export { imageRegistries } from "./image-registries.js";
export { noLatestTag } from "./no-latest-tag.js";
export { requiredLabels } from "./required-labels.js";
export { resourceLimits } from "./resource-limits.js";
export { defaultSidecarAnnotation, injectSidecars } from "./sidecar-injector.js";
export type { Violation } from "./violation.js";
