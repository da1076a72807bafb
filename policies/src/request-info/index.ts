export { parseQuery } from "./parse-query.js";
export { isTrue, type RequestInfo, resolveRequestInfo, unresolvedRequest } from "./request-info.js";
