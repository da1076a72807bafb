import { randomUUID } from "node:crypto";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";

/** Writes under way at once: they share commits. */
const batchSize = 2000;

/**
 * Copies a stored object under new names, straight into the store of a server that does not run. Over HTTPS the same
 * would take most of the time of a test that is not about it.
 */
export async function fillStore(directory: string, templateKey: string, names: readonly string[]): Promise<void> {
  await using store = await openLmdbStore({ directory });
  const { kv } = await store.get(templateKey);
  if (kv === undefined) {
    throw new Error(`nothing is stored under ${templateKey}`);
  }
  const template = kv.value.toString();
  const folder = templateKey.slice(0, templateKey.lastIndexOf("/") + 1);
  const templateName = templateKey.slice(folder.length);
  for (let from = 0; from < names.length; from += batchSize) {
    await Promise.all(
      names.slice(from, from + batchSize).map(async (name) => {
        const value = template
          .replace(`"name":"${templateName}"`, `"name":"${name}"`)
          .replace(/"uid":"[^"]*"/, `"uid":"${randomUUID()}"`);
        const result = await store.put(folder + name, Buffer.from(value), { expectedRevision: 0 });
        if (!result.succeeded) {
          throw new Error(`${name} was there already`);
        }
      }),
    );
  }
}
