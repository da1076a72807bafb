const itemBegin = Buffer.from('{"level":');
const typeMeta = Buffer.from('{"kind":"Event","apiVersion":"audit.k8s.io/v1",');
const newline = Buffer.from("\n");

/**
 * The pieces of an event as a document of its own. In a list, v1.29 leaves kind and apiVersion to the list and begins with
 * the level; what stands alone must say itself what it is, as it does in v1.29's log files.
 */
export function documentPieces(event: Buffer): readonly Buffer[] {
  return event.subarray(0, itemBegin.length).equals(itemBegin) ? [typeMeta, event.subarray(1)] : [event];
}

/** Events as documents, one a line. */
export function documentLines(events: readonly { readonly bytes: Buffer }[]): Buffer {
  return Buffer.concat(events.flatMap(({ bytes }) => [...documentPieces(bytes), newline]));
}
