import { answeringCases } from "./cases/answering.js";
import { conditionCases } from "./cases/conditions.js";
import { convertingCases } from "./cases/converting.js";
import { drawnCases } from "./cases/drawn.js";
import { failingCases } from "./cases/failing.js";
import { matchingCases } from "./cases/matching.js";
import { mutatingCases } from "./cases/mutating.js";
import { verbCases } from "./cases/verbs.js";
import { virtualCases } from "./cases/virtual.js";
import { wireCases } from "./cases/wire.js";
import type { WebhookCase } from "./webhook-case.js";

/** Cases that were sent to kube-apiserver v1.29.0, in this order. */
export const cases: readonly WebhookCase[] = [
  ...answeringCases,
  ...failingCases,
  ...matchingCases,
  ...mutatingCases,
  ...verbCases,
  ...convertingCases,
  ...virtualCases,
  ...drawnCases,
  ...wireCases,
  ...conditionCases,
];
