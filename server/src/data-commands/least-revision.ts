import type { Store } from "@gatehouse/apiserver/storage";
import { CommandError } from "@gatehouse/component-base/errors";

/** The revisions that clients have seen, and the ones that they may have seen. */
export interface SeenRevisions {
  /** The place of the store that is to be filled, for messages. */
  readonly name: string;
  /** The newest revision of what is copied. */
  readonly newest: number;
  /** The distance above it at which revisions are to go on; undefined when the user has not said. */
  readonly bump: number | undefined;
}

/**
 * Returns the revision that etcd must have reached before it is filled. Throws CommandError when it has not come so far by
 * itself, and the user has not asked for the writes that it takes: its API cannot set a revision.
 */
export async function leastRevisionOf(store: Store, { name, newest, bump }: SeenRevisions): Promise<number> {
  const current = await store.currentRevision();
  if (bump === undefined && current < newest) {
    throw new CommandError(
      `${name} is at revision ${current}, and what is copied at ${newest}, so clients would meet versions twice; give --bump-revision, or begin with an etcd whose revisions \`etcdutl snapshot restore --bump-revision --mark-compacted\` has moved on`,
    );
  }
  return newest + (bump ?? 0);
}
