import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type EtcdApi,
  loadEtcdApi,
  type WatchCreateRequest,
  type WatchResponse,
} from "@gatehouse/apiserver/storage/etcd/api";
import { type EtcdFaceOptions, startEtcdFace } from "@gatehouse/apiserver/storage/etcd-face";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import {
  callUnary,
  channelCredentials,
  type Grpc,
  loadGrpc,
  type MessageInput,
  type Method,
} from "@gatehouse/component-base/grpc";

const deadlineMs = 20_000;

type Client = InstanceType<Grpc["Client"]>;
type ChannelTls = Parameters<typeof channelCredentials>[1];

/** The answer to the renewal of a lease. */
interface Renewal {
  readonly id: bigint;
  /** 0 when there is no such lease. */
  readonly ttlSeconds: number;
}

/** A client of the API of etcd. Disposal closes its connection. */
export class FaceClient implements Disposable {
  readonly api: EtcdApi;
  readonly #grpc: Grpc;
  readonly #client: Client;

  static async open(url: string, tls?: ChannelTls): Promise<FaceClient> {
    const grpc = await loadGrpc();
    return new FaceClient(await loadEtcdApi(), grpc, new grpc.Client(new URL(url).host, channelCredentials(grpc, tls)));
  }

  private constructor(api: EtcdApi, grpc: Grpc, client: Client) {
    this.api = api;
    this.#grpc = grpc;
    this.#client = client;
  }

  call<Q, A>(method: Method<Q, A>, request: MessageInput<Q>): Promise<A> {
    return callUnary(this.#grpc, this.#client, method, request, { deadlineMs });
  }

  put(key: string, value: string | Buffer, lease = 0n) {
    return this.call(this.api.kv.Put, { key: Buffer.from(key), value: Buffer.from(value), lease });
  }

  async get(key: string) {
    const { kvs } = await this.call(this.api.kv.Range, { key: Buffer.from(key) });
    return kvs[0];
  }

  /** Starts a watch on a stream of its own; what it receives is added to `seen`. */
  watch(createRequest: MessageInput<WatchCreateRequest>): { readonly seen: WatchResponse[]; end(): void } {
    const { path, requestSerialize, responseDeserialize } = this.api.watch.Watch;
    const call = this.#client.makeBidiStreamRequest(path, requestSerialize, (bytes: Buffer) =>
      responseDeserialize(bytes),
    );
    const seen: WatchResponse[] = [];
    call.on("error", () => {});
    call.on("data", (response: WatchResponse) => seen.push(response));
    call.write({ createRequest } as never);
    return { seen, end: () => call.cancel() };
  }

  /** Calls a method by its path alone; resolves to the code, and the bytes of the answer or the text of the status. */
  tryRaw(path: string, request = Buffer.alloc(0)): Promise<string> {
    return new Promise((resolve) => {
      const pass = (bytes: Buffer): Buffer => bytes;
      this.#client.makeUnaryRequest(path, pass, pass, request, (error, answer) => {
        resolve(error === null ? `0 ${answer?.toString("hex")}` : `${error.code} ${error.details}`);
      });
    });
  }

  /** Renews leases by requests that are sent at once; resolves to the answers. */
  async keepAlive(ids: readonly bigint[]): Promise<Renewal[]> {
    const { path, requestSerialize, responseDeserialize } = this.api.lease.LeaseKeepAlive;
    const call = this.#client.makeBidiStreamRequest(path, requestSerialize, (bytes: Buffer) =>
      responseDeserialize(bytes),
    );
    for (const id of ids) {
      call.write({ id } as never);
    }
    call.end();
    const answers: Renewal[] = [];
    for await (const answer of call as AsyncIterable<Renewal>) {
      answers.push(answer);
    }
    return answers;
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }
}

/** A face in this process, on a store of its own. Disposal removes the data. */
export interface FaceUnderTest extends AsyncDisposable {
  readonly url: string;
}

/** Serves a store in a folder, a new one when none is given. */
export async function serveStore(options: Partial<EtcdFaceOptions> = {}, directory?: string): Promise<FaceUnderTest> {
  const folder = directory ?? (await mkdtemp(join(tmpdir(), "gatehouse-face-")));
  const store = await openLmdbStore({ directory: folder });
  const { keyspace } = store;
  const face = await startEtcdFace({
    store,
    keyspace,
    urls: [{ isSecure: options.tls !== undefined, host: "127.0.0.1", port: 0 }],
    onFault: (error) => {
      throw error;
    },
    ...options,
  });
  return {
    url: face.urls[0] as string,
    async [Symbol.asyncDispose]() {
      await face[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
