export { type ImageReference, isImageBelow, parseImageReference } from "./images/image-reference.js";
export { addDefaultTolerations } from "./library/default-tolerations.js";
export { imageRegistries } from "./library/image-registries.js";
export { noLatestTag } from "./library/no-latest-tag.js";
export { requiredLabels } from "./library/required-labels.js";
export { resourceLimits } from "./library/resource-limits.js";
export { defaultSidecarAnnotation, injectSidecars } from "./library/sidecar-injector.js";
export type { Violation } from "./library/violation.js";
export { TokenBucket } from "./rate-limit/token-bucket.js";
