export { type RotateOptions, rotateCertificates, serviceOfFlag } from "./rotate-certificates.js";
