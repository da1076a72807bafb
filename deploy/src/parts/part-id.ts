/**
 * The processes of a stack, without the `gatehouse-` of their programs: in names of flags and logs, and where ports are
 * remembered.
 */
export const partIds = [
  "apiserver",
  "admission",
  "image-review",
  "authorization",
  "token-review",
  "audit-sink",
  "identity-provider",
] as const;

/** One of the processes of a stack. */
export type PartId = (typeof partIds)[number];
