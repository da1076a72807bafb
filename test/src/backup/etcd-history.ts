import type { RawEtcd } from "./raw-etcd.js";

/** The state of the keys below /registry at some revisions of a history: `key = value` for each, sorted. */
export type StatesOfHistory = ReadonlyMap<number, readonly string[]>;

/**
 * Makes a history in an empty etcd that has everything a snapshot can hold: changes and deletions, several changes in one
 * revision, leases that live and one that has been revoked, a value of many pages, more keys than one page has, keys of
 * another program, and a compaction.
 */
export async function makeHistory(etcd: RawEtcd): Promise<StatesOfHistory> {
  const { kv, lease } = etcd.api;
  const state = new Map<string, string>();
  const states = new Map<number, readonly string[]>();
  const note = (response: { readonly header: { readonly revision: number } | null }): void => {
    states.set(response.header?.revision ?? 0, [...state].map(([key, value]) => `${key} = ${value}`).sort());
  };
  const put = async (key: string, value: string, id = 0n): Promise<void> => {
    if (key.startsWith("/registry/")) {
      state.set(key, value);
    }
    note(await etcd.call(kv.Put, { key: Buffer.from(key), value: Buffer.from(value), lease: id }));
  };
  const remove = async (key: string): Promise<void> => {
    state.delete(key);
    note(await etcd.call(kv.DeleteRange, { key: Buffer.from(key) }));
  };
  const grant = async (): Promise<bigint> => (await etcd.call(lease.LeaseGrant, { ttlSeconds: 100_000 })).id;

  for (let number = 0; number < 120; number++) {
    await put(`/registry/configmaps/default/${number}`, `value of ${number}`);
  }
  await put("/elsewhere", "of another program");
  await remove("/registry/configmaps/default/7");
  const compacted = Math.max(...states.keys());
  await etcd.call(kv.Compact, { revision: compacted, physical: true });
  await put("/registry/configmaps/default/8", "changed");
  await put("/registry/configmaps/default/large", "x".repeat(30_000));
  await put("/registry/events/default/lives", "with a lease", await grant());
  const revoked = await grant();
  await put("/registry/events/default/ended", "with a lease that is revoked", revoked);
  state.delete("/registry/events/default/ended");
  note(await etcd.call(lease.LeaseRevoke, { id: revoked }));
  const keys = ["/registry/a", "/registry/b"].map((key) => Buffer.from(key));
  state.set("/registry/a", "1").set("/registry/b", "1");
  note(await etcd.call(kv.Txn, { success: keys.map((key) => ({ requestPut: { key, value: Buffer.from("1") } })) }));
  await remove("/registry/a");
  await put("/registry/a", "made again");
  return new Map([...states].filter(([revision]) => revision >= compacted));
}
