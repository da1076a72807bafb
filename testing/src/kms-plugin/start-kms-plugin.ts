import { rm } from "node:fs/promises";
import {
  type KmsV1Methods,
  type KmsV2Methods,
  kmsTarget,
  loadKmsV1,
  loadKmsV2,
} from "@gatehouse/apiserver/storage/encryption";
import { type Grpc, loadGrpc, serverCredentials } from "@gatehouse/component-base/grpc";
import { KeyRing } from "./key-ring.js";
import { type KmsFailure, KmsFailures, type KmsMethod } from "./kms-failures.js";

/** The address of a plugin and the text that its keys are made of. */
export interface KmsPluginOptions {
  /** The address: `unix:///tmp/kms.sock`, or `unix:///@name` for a socket in the abstract namespace. */
  readonly endpoint: string;
  /** The beginning of key IDs, `test-key` when absent. Plugins with the same one read what each other wrote. */
  readonly keyName?: string;
}

/** A key management service for tests, of v1 and v2 on one socket. Its keys are no secrets. */
export interface KmsPlugin extends AsyncDisposable {
  readonly endpoint: string;
  /** The ID of the key that encrypts now. */
  readonly keyId: string;
  /** Numbers of calls so far, by method. */
  readonly calls: Readonly<Record<KmsMethod, number>>;
  /** The `healthz` of its status; `ok` until it is set. */
  healthz: string;
  /** Encrypts by a new key from now on. */
  rotate(): void;
  /** Fails calls from now on: those of some methods, or of all. */
  fail(failure: KmsFailure, methods?: readonly KmsMethod[]): void;
  /** Ends the failures. */
  recover(): void;
  /** Closes the socket; nothing answers at the address any more. */
  stop(): Promise<void>;
}

const allMethods: readonly KmsMethod[] = ["Status", "Version", "Encrypt", "Decrypt"];

/**
 * Starts a key management service for tests.
 *
 * @example
 * ```ts
 * await using plugin = await startKmsPlugin({ endpoint: `unix://${folder}/kms.sock` });
 * plugin.fail("UNAVAILABLE", ["Decrypt"]);
 * ```
 */
export async function startKmsPlugin({ endpoint, keyName = "test-key" }: KmsPluginOptions): Promise<KmsPlugin> {
  const grpc = await loadGrpc();
  const server = new grpc.Server();
  const state: PluginState = {
    grpc,
    keys: new KeyRing(keyName),
    failures: new KmsFailures(),
    calls: { Status: 0, Version: 0, Encrypt: 0, Decrypt: 0 },
    healthz: "ok",
  };
  server.addService(await loadKmsV2(), v2Handlers(state));
  server.addService(await loadKmsV1(), v1Handlers(state));
  const target = kmsTarget(endpoint);
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(target, serverCredentials(grpc, undefined), (error) =>
      error === null ? resolve() : reject(error),
    );
  });
  const stop = async (): Promise<void> => {
    server.forceShutdown();
    const path = target.slice("unix:".length);
    if (path.startsWith("/")) {
      await rm(path, { force: true });
    }
  };
  return {
    endpoint,
    get keyId() {
      return state.keys.keyId;
    },
    calls: state.calls,
    get healthz() {
      return state.healthz;
    },
    set healthz(text) {
      state.healthz = text;
    },
    rotate: () => state.keys.rotate(),
    fail: (failure, methods = allMethods) => state.failures.set(failure, methods),
    recover: () => state.failures.clear(),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

interface PluginState {
  readonly grpc: Grpc;
  readonly keys: KeyRing;
  readonly failures: KmsFailures;
  readonly calls: Record<KmsMethod, number>;
  healthz: string;
}

type Handler = (call: { request: never }, answer: Answer) => void;
type Answer = (error: { code: number; details: string } | null, response?: object) => void;
type Implementation = Parameters<InstanceType<Grpc["Server"]>["addService"]>[1];

/** Returns the handler of a method, which counts its calls and fails when it has been told to. */
function handler<Request>(state: PluginState, method: KmsMethod, answerTo: (request: Request) => object): Handler {
  return ({ request }, answer) => {
    state.calls[method]++;
    const failure = state.failures.of(method);
    if (failure === "silence") {
      return;
    }
    if (failure !== undefined) {
      answer({ code: state.grpc.status[failure], details: `the plugin was told to answer ${failure}` });
      return;
    }
    try {
      answer(null, answerTo(request));
    } catch (error) {
      answer({ code: state.grpc.status.INVALID_ARGUMENT, details: (error as Error).message });
    }
  };
}

/** The annotation in which the plugin names the key, as plugins do that have a hierarchy of keys. */
const annotationName = "key.kms-plugin.example.com";

function v2Handlers(state: PluginState): Implementation {
  const handlers: Record<keyof KmsV2Methods, Handler> = {
    Status: handler(state, "Status", () => ({ version: "v2", healthz: state.healthz, keyId: state.keys.keyId })),
    Encrypt: handler(state, "Encrypt", ({ plaintext }: { plaintext: Buffer }) => ({
      ciphertext: state.keys.encrypt(plaintext),
      keyId: state.keys.keyId,
      annotations: { [annotationName]: Buffer.from(state.keys.keyId) },
    })),
    Decrypt: handler(state, "Decrypt", ({ ciphertext, keyId }: { ciphertext: Buffer; keyId: string }) => ({
      plaintext: state.keys.decrypt(ciphertext, keyId),
    })),
  };
  return handlers as unknown as Implementation;
}

/** Version 1 has no key IDs: the encrypted key names its own. */
function v1Handlers(state: PluginState): Implementation {
  const handlers: Record<keyof KmsV1Methods, Handler> = {
    Version: handler(state, "Version", () => ({ version: "v1beta1", runtimeName: "test", runtimeVersion: "0.1.0" })),
    Encrypt: handler(state, "Encrypt", ({ plain }: { plain: Buffer }) => ({
      cipher: Buffer.concat([Buffer.from(`${state.keys.keyId}\n`), state.keys.encrypt(plain)]),
    })),
    Decrypt: handler(state, "Decrypt", ({ cipher }: { cipher: Buffer }) => {
      const end = cipher.indexOf("\n");
      return { plain: state.keys.decrypt(cipher.subarray(end + 1), cipher.toString("utf8", 0, end)) };
    }),
  };
  return handlers as unknown as Implementation;
}
