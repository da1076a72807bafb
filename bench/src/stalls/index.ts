import { bodyRequests } from "./body-requests.js";
import { definitionRequests } from "./definition-requests.js";
import { growthRequests } from "./growth-requests.js";
import { http2Requests } from "./http2-requests.js";
import { kindRequests } from "./kind-requests.js";
import { largeObjectRequests } from "./large-object-requests.js";
import { listRequests } from "./list-requests.js";
import { patchRequests } from "./patch-requests.js";
import { patternRequests } from "./pattern-requests.js";
import { roleRequests } from "./role-requests.js";
import { selectorRequests } from "./selector-requests.js";
import type { StallRequest } from "./stall-request.js";
import { strategicMergeRequests } from "./strategic-merge-requests.js";
import { webhookRequests } from "./webhook-requests.js";
import { yamlRequests } from "./yaml-requests.js";

/** Every suspected request, in the order of the report. */
export const stallRequests: readonly StallRequest[] = [
  ...yamlRequests,
  ...listRequests,
  ...selectorRequests,
  ...bodyRequests,
  ...kindRequests,
  ...roleRequests,
  ...definitionRequests,
  ...patchRequests,
  ...strategicMergeRequests,
  ...patternRequests,
  ...growthRequests,
  ...largeObjectRequests,
  ...webhookRequests,
  ...http2Requests,
];
