export { sharedWork } from "./shared-work.js";
