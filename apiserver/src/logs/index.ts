export { ServerLog } from "./server-log.js";
