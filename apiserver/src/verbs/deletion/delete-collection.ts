import { StatusError } from "@gatehouse/envelopes/status";
import { metaOf } from "../../objects/object-meta.js";
import type { CacheEntry } from "../../storage/cache/cache-entry.js";
import { readDeleteOptions } from "../delete-options.js";
import { parseListOptions } from "../list-options.js";
import { readPage, respondWithPage } from "../reading/list.js";
import type { RequestScope } from "../request-scope.js";
import { objectRepresentation, triedUnlessShown } from "../respond.js";
import { warnAboutDeletion } from "../writing/warn-about.js";
import { deleteObject } from "./delete.js";
import { eachUntilFailure } from "./until-failure.js";

/** Handles DELETE of a collection: all objects that the selectors pick, `--delete-collection-workers` at a time. */
export async function deleteCollection(scope: RequestScope): Promise<void> {
  const { environment, context, served } = scope;
  const representation = objectRepresentation(context, served);
  const listOptions = parseListOptions(context, served, false, environment.features.enabled("WatchList"));
  const asked = { ...(await readDeleteOptions(context, served.version, served.group)), fromCollection: true };
  const options = triedUnlessShown(context, representation, "PartialObjectMetadata", asked);
  warnAboutDeletion(context, served.definition.strategy.deletion, options);
  const page = await readPage(context, served, listOptions);
  const deleteUnlessGone = async (entry: CacheEntry): Promise<void> => {
    // A dry run waits for nothing by itself; and whoever has gone away wants no more to be deleted.
    await context.yield();
    const meta = metaOf(entry.object());
    try {
      await deleteObject(scope, { namespace: meta.namespace ?? "", name: meta.name as string, options });
    } catch (error) {
      // Somebody else was faster; gone is what was asked for.
      if (!(error instanceof StatusError && error.reason === "NotFound")) {
        throw error;
      }
    }
  };
  // After an error answer nobody would learn of what is deleted.
  await eachUntilFailure(page.entries, environment.deleteCollectionWorkers, deleteUnlessGone);
  await respondWithPage(context, served, page, representation);
}
