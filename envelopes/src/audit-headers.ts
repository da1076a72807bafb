/*
 * Headers by which a sender of audit events (EventList to a webhook) lets the receiver prove that nothing is missing.
 * Senders that keep what they could not deliver number their events; others send neither header. A repeated delivery
 * carries the same numbers. What a sender has dropped by choice keeps its numbers, so that it shows as a gap.
 */

/** A stable random id of the sender's spool, a UUID: sequences with the same source continue each other. */
export const auditSourceHeader = "Gatehouse-Audit-Source";

/** Number of the first event of the batch, in decimal, from 1; the others of the batch follow without a gap. */
export const auditSequenceHeader = "Gatehouse-Audit-Sequence";
