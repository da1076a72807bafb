export { isTrue, type RequestInfo, resolveRequestInfo, unresolvedRequest } from "@gatehouse/policies/request-info";
