import { type EtcdFaceOptions, parseListenUrl, startEtcdFace } from "@gatehouse/apiserver/storage/etcd-face";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";

/** An embedded store in this process that is served by the API of etcd. Disposal closes both. */
export interface ServedFace extends AsyncDisposable {
  readonly url: string;
}

/** Opens the store in a directory and serves it on a free port of the loopback address. */
export async function serveFace(
  directory: string,
  options: Pick<EtcdFaceOptions, "maxRequestBytes" | "now" | "progressIntervalMs"> = {},
): Promise<ServedFace> {
  const store = await openLmdbStore({ directory });
  const url = parseListenUrl("http://127.0.0.1:0");
  if (typeof url === "string") {
    throw new Error(url);
  }
  const face = await startEtcdFace({
    store,
    keyspace: store.keyspace,
    urls: [url],
    onFault: (error) => console.error("a fault of the face", error),
    ...options,
  });
  return {
    url: face.urls[0] as string,
    async [Symbol.asyncDispose]() {
      await face[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}
