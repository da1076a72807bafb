import { writeFile } from "node:fs/promises";
import { type EtcdApi, loadEtcdApi } from "@gatehouse/apiserver/storage/etcd/api";
import { callUnary, loadGrpc, type MessageInput, type Method } from "@gatehouse/component-base/grpc";

/** Calls of etcd that no store makes. */
export interface RawEtcd extends Disposable {
  readonly api: EtcdApi;
  call<Request, Response>(method: Method<Request, Response>, request: MessageInput<Request>): Promise<Response>;
  /** Saves a snapshot, as `etcdctl snapshot save` does. */
  saveSnapshot(path: string): Promise<void>;
}

/** Connects to an etcd without TLS. */
export async function rawEtcd(url: string): Promise<RawEtcd> {
  const [api, grpc] = await Promise.all([loadEtcdApi(), loadGrpc()]);
  const client = new grpc.Client(new URL(url).host, grpc.credentials.createInsecure());
  return {
    api,
    call: (method, request) => callUnary(grpc, client, method, request, { deadlineMs: 10_000 }),
    async saveSnapshot(path) {
      const { Snapshot } = api.maintenance;
      const stream = client.makeServerStreamRequest(
        Snapshot.path,
        Snapshot.requestSerialize,
        Snapshot.responseDeserialize,
        {},
      );
      const blobs: Buffer[] = [];
      for await (const { blob } of stream) {
        blobs.push(blob);
      }
      await writeFile(path, Buffer.concat(blobs), { mode: 0o600 });
    },
    [Symbol.dispose]: () => client.close(),
  };
}
