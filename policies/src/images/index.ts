export { imageReferenceProblem } from "./check-image-reference.js";
export { type ImageReference, isImageBelow, parseImageReference } from "./image-reference.js";
