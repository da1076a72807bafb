import type { FlagTable } from "@gatehouse/component-base/flags";
import { logOutputFlags } from "./log/log-flags.js";
import { webhookOutputFlags } from "./webhook/webhook-flags.js";

/** The flags of auditing: of the policy, and of the outputs that every server has. */
export const auditFlags = {
  "audit-policy-file": {
    type: "path",
    group: "Auditing",
    help: "`file` with the Policy (audit.k8s.io/v1) that says what is recorded. Followed as it changes. Without one nothing is recorded.",
  },
  ...logOutputFlags,
  ...webhookOutputFlags,
} as const satisfies FlagTable;
