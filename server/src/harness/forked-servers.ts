import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Authenticator, bearerTokenAuthenticator, staticTokens } from "@gatehouse/apiserver/authentication";
import { hostAndPort } from "@gatehouse/apiserver/options";
import type { ServerParts } from "@gatehouse/apiserver/server";
import { MemoryData } from "@gatehouse/apiserver/storage/memory";
import type { Logger } from "@gatehouse/component-base/logs";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { tooManyRequests } from "@gatehouse/envelopes/status";
import type { ServerConfig } from "../options/server-config.js";
import type { StartedServer } from "../server.js";
import { CapturedStore } from "./captured-store.js";
import { configOfClone } from "./config-of-clone.js";
import type { HarnessParts } from "./harness-parts.js";

/** Forks that one process may have at a time; more are refused with 429. */
const maxForks = 500;
const retryAfterSeconds = 1;
const loopback = "127.0.0.1";
const readyPollMs = 1;
const readyTimeoutMs = 60_000;
const administrator = "kubernetes-admin";

/** Starts a server in this process. */
export type StartForked = (config: ServerConfig, logger: Logger, parts: HarnessParts) => StartedServer;

/** A server on a clone of the data of another one. */
interface Fork {
  readonly server: StartedServer;
  readonly url: string;
  readonly kubeconfig: JsonObject;
}

/** Servers of this process on clones of the data of its server. They end with it. */
export class ForkedServers {
  readonly #config: ServerConfig;
  readonly #logger: Logger;
  readonly #store: CapturedStore;
  readonly #start: StartForked;
  readonly #forks = new Map<string, Fork>();
  #count = 0;
  #starting = 0;
  /** Certificates are made by the first start, and read by those after it. */
  #lastStart: Promise<unknown> = Promise.resolve();

  constructor(config: ServerConfig, logger: Logger, store: CapturedStore, start: StartForked) {
    this.#config = config;
    this.#logger = logger;
    this.#store = store;
    this.#start = start;
  }

  /** Returns the URLs of the forks by name. */
  urls(): Readonly<Record<string, string>> {
    return Object.fromEntries(Array.from(this.#forks, ([name, { url }]) => [name, url]));
  }

  /** Starts a fork. Resolves, when it is ready, to its name and the kubeconfig of its administrator. */
  async add(): Promise<{ readonly name: string; readonly kubeconfig: JsonObject }> {
    if (this.#forks.size + this.#starting >= maxForks) {
      throw tooManyRequests(`there are ${maxForks} forks; delete some of them first`, retryAfterSeconds);
    }
    this.#starting++;
    try {
      const name = `fork-${++this.#count}`;
      const started = this.#lastStart.then(() => this.#startFork(name));
      this.#lastStart = started.catch(() => {});
      const fork = await started;
      this.#forks.set(name, fork);
      return { name, kubeconfig: fork.kubeconfig };
    } finally {
      this.#starting--;
    }
  }

  /** Ends a fork; false when there is none of this name. */
  async delete(name: string): Promise<boolean> {
    const fork = this.#forks.get(name);
    this.#forks.delete(name);
    await fork?.server.stop();
    return fork !== undefined;
  }

  /** Ends all forks. */
  async close(): Promise<void> {
    await this.#lastStart;
    await Promise.all([...this.#forks.keys()].map((name) => this.delete(name)));
  }

  async #startFork(name: string): Promise<Fork> {
    const data = new MemoryData(await this.#store.image());
    const token = randomBytes(32).toString("base64url");
    let parts: ServerParts | undefined;
    const server = this.#start(configOfFork(this.#config), this.#logger.child({ fork: name }), {
      store: new CapturedStore(this.#config, data).open,
      authenticator: administratorBy(token),
      onOpen: (opened) => {
        parts = opened;
      },
    });
    try {
      const port = await server.serving;
      await untilReady(server);
      const url = `https://${hostAndPort(loopback, port)}`;
      return { server, url, kubeconfig: kubeconfigOf(name, url, parts?.certificates.authority ?? "", token) };
    } catch (error) {
      await server.stop();
      throw error;
    }
  }
}

/** Rejects when a server is not ready in time. */
async function untilReady(server: StartedServer): Promise<void> {
  const deadline = performance.now() + readyTimeoutMs;
  while (!(await server.isReady())) {
    if (performance.now() > deadline) {
      throw new Error(`the fork was not ready within ${readyTimeoutMs / 1000} s`);
    }
    await pause(readyPollMs);
  }
}

/** Returns the configuration of forks: a free port of loopback, and a certificate whose authority is known. */
function configOfFork(config: ServerConfig): ServerConfig {
  return {
    ...configOfClone(config),
    bindAddress: loopback,
    securePort: 0,
    certDirectory: join(config.certDirectory, "forks"),
    tlsFiles: undefined,
    tls: { ...config.tls, named: [] },
  };
}

/** Authenticates the administrator of one fork. The server does not have the key of the authority of client certificates. */
function administratorBy(token: string): Authenticator {
  const user = { username: administrator, groups: ["system:masters"] };
  return bearerTokenAuthenticator(staticTokens([{ digest: createHash("sha256").update(token).digest(), user }]));
}

function kubeconfigOf(name: string, server: string, authorityPem: string, token: string): JsonObject {
  const cluster = { server, "certificate-authority-data": Buffer.from(authorityPem).toString("base64") };
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster }],
    users: [{ name: administrator, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: administrator } }],
    "current-context": name,
  };
}
