export { type Connect, connectHandlers } from "./connect.js";
export { splitSchemeNamePort } from "./scheme-name-port.js";
