/** How much of a request is recorded, from nothing to both bodies. */
export const auditLevels = ["None", "Metadata", "Request", "RequestResponse"] as const;

/** How much of a request is recorded. */
export type AuditLevel = (typeof auditLevels)[number];

/** Where a request is on its way when it is recorded, in the order in which v1.29 lists them. */
export const auditStages = ["RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"] as const;

/** Where a request is on its way when it is recorded. */
export type AuditStage = (typeof auditStages)[number];

const ranks: ReadonlyMap<string, number> = new Map(auditLevels.map((level, rank) => [level, rank]));

/** Negative if `a` records less than `b`, 0 if as much. What is no level records nothing. */
export function compareAuditLevels(a: string, b: string): number {
  return (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0);
}
