/** Audit levels, from no recording to both bodies. */
export const auditLevels = ["None", "Metadata", "Request", "RequestResponse"] as const;

/** An audit level: the amount of a request that is recorded. */
export type AuditLevel = (typeof auditLevels)[number];

/** Audit stages of a request, in the order in which v1.29 lists them. */
export const auditStages = ["RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"] as const;

/** An audit stage: the progress of a request at which an event is recorded. */
export type AuditStage = (typeof auditStages)[number];

const ranks: ReadonlyMap<string, number> = new Map(auditLevels.map((level, rank) => [level, rank]));

/** Compares two levels: negative if `a` records less than `b`, 0 if as much. An unknown level records nothing. */
export function compareAuditLevels(a: string, b: string): number {
  return (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0);
}
