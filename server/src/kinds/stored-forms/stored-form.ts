import type { StorageLocation } from "@gatehouse/apiserver/registry";

/** The versions in which the objects of a resource may lie in the store besides the one that the server holds. */
export type StoredForm = Pick<StorageLocation, "olderVersions" | "atRest">;

/** Stored forms by the prefix of the resource in the store. */
export type StoredFormTable = Readonly<Record<string, StoredForm>>;
