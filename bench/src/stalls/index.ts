import { bodyRequests } from "./body-requests.js";
import { http2Requests } from "./http2-requests.js";
import { listRequests } from "./list-requests.js";
import { patchRequests } from "./patch-requests.js";
import { selectorRequests } from "./selector-requests.js";
import type { StallRequest } from "./stall-request.js";
import { yamlRequests } from "./yaml-requests.js";

/** Every suspected request, in the order of the report. */
export const stallRequests: readonly StallRequest[] = [
  ...yamlRequests,
  ...listRequests,
  ...selectorRequests,
  ...bodyRequests,
  ...patchRequests,
  ...http2Requests,
];
