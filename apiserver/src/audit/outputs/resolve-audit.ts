import type { FlagTable, FlagValues } from "@gatehouse/component-base/flags";
import type { Problem } from "@gatehouse/component-base/problems";
import type { auditV1 } from "@gatehouse/envelopes/types";
import type { auditFlags } from "./audit-flags.js";
import type { AuditOutput, AuditOutputType } from "./audit-output.js";
import { logOutputType } from "./log/log-output.js";
import { webhookOutputType } from "./webhook/webhook-output.js";

/** The audit policy and its outputs. Without an output nothing is recorded, but the policy must be valid all the same. */
export interface AuditOptions {
  /** The path of a policy, which is followed as it changes, or a policy. */
  readonly policy: string | auditV1.Policy;
  readonly outputs: readonly AuditOutput[];
}

/** The sorts of outputs that every server has. */
export const auditOutputTypes = [logOutputType, webhookOutputType] as const;

/**
 * Resolves the flags of auditing; undefined without a policy, since nothing is recorded then. `own` are further sorts of
 * outputs, whose flags are among the values, too. Adds problems and warnings to the given lists. As in v1.29 an output that
 * is not used is not checked.
 */
export function resolveAudit(
  flags: FlagValues<typeof auditFlags>,
  problems: Problem[],
  warnings: string[],
  own: readonly AuditOutputType<FlagTable>[] = [],
): AuditOptions | undefined {
  const outputs = [...auditOutputTypes, ...own]
    .map((type) => (type as AuditOutputType<FlagTable>).resolve(flags, problems))
    .filter((output) => output !== undefined);
  const policy = flags["audit-policy-file"];
  if (policy === undefined) {
    if (outputs.length > 0) {
      warnings.push("no --audit-policy-file is given: no audit events will be recorded");
    }
    return undefined;
  }
  return { policy, outputs };
}
