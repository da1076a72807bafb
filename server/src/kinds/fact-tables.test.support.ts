import { existsSync, readFileSync } from "node:fs";

/**
 * Folders that may hold the fact tables: beside the checkout, or one folder further up when the checkout is a worktree.
 */
const places = [
  new URL("../../../../shared/facts/", import.meta.url),
  new URL("../../../../../shared/facts/", import.meta.url),
];
const folder = places.find((place) => existsSync(place));

/** `skip` option for tests that compare with the fact tables: false, or why they cannot run. */
export const factsMissing: false | string =
  folder === undefined ? "the fact tables are not beside the checkout" : false;

export function readFactTable<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(name, folder), "utf8")) as T;
}
