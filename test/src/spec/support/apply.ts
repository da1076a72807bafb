import type { Answer, ApiClient } from "./api-client.js";
import type { ApiDocument } from "./api-document.js";

/** Sends an apply patch as a manager; `query` is added to the path. */
export function apply(client: ApiClient, path: string, manager: string, body: object, query = ""): Promise<Answer> {
  return client.patch(`${path}?fieldManager=${manager}${query}`, "application/apply-patch+yaml", body);
}

/** One entry of metadata.managedFields. */
export interface ManagedFieldsEntry {
  readonly manager: string;
  readonly operation: string;
  readonly apiVersion: string;
  readonly time: string;
  readonly fieldsType: string;
  readonly fieldsV1: object;
  readonly subresource?: string;
}

export function entriesOf({ metadata }: ApiDocument): readonly ManagedFieldsEntry[] {
  return (metadata.managedFields ?? []) as readonly ManagedFieldsEntry[];
}

/** Returns the fields that a manager owns, as the tree that clients see; undefined when it owns none. */
export function ownedBy(document: ApiDocument, manager: string): object | undefined {
  return entriesOf(document).find((entry) => entry.manager === manager)?.fieldsV1;
}
