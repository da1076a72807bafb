import { badRequest } from "@gatehouse/envelopes";

/** Reads a version that a client sends back. They are opaque to clients, decimal revisions to us. */
export function parseResourceVersion(text: string): number {
  if (!/^\d{1,20}$/.test(text)) {
    throw badRequest(`invalid resource version: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  const revision = Number(text);
  if (!Number.isSafeInteger(revision)) {
    throw badRequest(
      `invalid resource version: strconv.ParseUint: parsing ${JSON.stringify(text)}: value out of range`,
    );
  }
  return revision;
}
