import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:fs";
import { access, mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { alarmAction, loadEtcdApi } from "@gatehouse/apiserver/storage/etcd/api";
import {
  callUnary,
  channelCredentials,
  loadGrpc,
  type MessageInput,
  type Method,
} from "@gatehouse/component-base/grpc";
import { freePort } from "./free-port.js";
import { suspendProcess } from "./suspend-process.js";
import { TcpProxy } from "./tcp-proxy.js";
import { until } from "./until.js";

/**
 * Returns the etcd on PATH, or the reason why there is none, for tests to be skipped with. With REQUIRE_PEERS=1, which CI
 * sets, that is a failure.
 */
export async function findEtcd(
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ readonly path: string } | { readonly skip: string }> {
  const given = env["GATEHOUSE_ETCD"];
  const paths =
    given === undefined ? (env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "etcd")) : [given];
  for (const path of paths) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) {
      return { path };
    }
  }
  if (env["REQUIRE_PEERS"] === "1") {
    throw new Error("REQUIRE_PEERS=1 is set, and there is no etcd on PATH");
  }
  return { skip: "there is no etcd on PATH" };
}

/** TLS files of a member; clients must show a certificate of `caFile`. */
export interface EtcdTlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
}

/** Options of a started etcd. */
export interface EtcdOptions {
  readonly path: string;
  readonly args?: readonly string[];
  readonly tls?: EtcdTlsFiles;
}

/** The member's place in a cluster. */
interface Membership {
  readonly name: string;
  /** The URL at which other members reach it. */
  readonly peerUrl: string;
  /** The URL at which it listens for them, when the way there is another one. */
  readonly listenPeerUrl?: string;
  /** `name=peer URL` of every member, with commas between them. */
  readonly cluster: string;
}

/** Starts a cluster of several members. */
export async function startEtcdCluster(options: EtcdOptions, members: number): Promise<EtcdProcess[]> {
  const ports = await Promise.all(Array.from({ length: members }, freePort));
  return startMembers(
    options,
    ports.map((port) => ({ peerUrl: `http://127.0.0.1:${port}` })),
  );
}

/** A cluster whose members reach each other through networks that can be cut. */
export interface NetworkedCluster {
  readonly members: readonly EtcdProcess[];
  /** The way of the others to each member. While it is cut, they send it nothing, and hear of it what it sends itself. */
  readonly networks: readonly TcpProxy[];
}

/** Starts a cluster with a network in front of each member's port for the others. */
export async function startNetworkedCluster(options: EtcdOptions, members: number): Promise<NetworkedCluster> {
  const ports = await Promise.all(Array.from({ length: members }, freePort));
  const networks = await Promise.all(ports.map((port) => TcpProxy.start(port)));
  const places = networks.map(({ port }, i) => ({
    peerUrl: `http://127.0.0.1:${port}`,
    listenPeerUrl: `http://127.0.0.1:${ports[i]}`,
  }));
  return { members: await startMembers(options, places), networks };
}

function startMembers(
  options: EtcdOptions,
  places: readonly Pick<Membership, "peerUrl" | "listenPeerUrl">[],
): Promise<EtcdProcess[]> {
  const cluster = places.map(({ peerUrl }, i) => `m${i}=${peerUrl}`).join(",");
  return Promise.all(places.map((place, i) => EtcdProcess.start(options, { ...place, name: `m${i}`, cluster })));
}

/** An etcd of one member with a data folder of its own. Disposal ends it and removes the data. */
export class EtcdProcess implements AsyncDisposable {
  readonly url: string;
  readonly #options: EtcdOptions;
  readonly #folder: string;
  readonly #membership: Membership;
  #furtherArgs: readonly string[] = [];
  #child: ChildProcess | undefined;

  /** Starts an etcd; resolves when it answers. */
  static async start(options: EtcdOptions, member?: Membership): Promise<EtcdProcess> {
    const port = await freePort();
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-etcd-"));
    const etcd = new EtcdProcess(options, { folder, port, membership: member ?? (await onlyMember()) });
    await etcd.start();
    return etcd;
  }

  private constructor(options: EtcdOptions, place: { folder: string; port: number; membership: Membership }) {
    this.#options = options;
    this.#folder = place.folder;
    this.url = `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${place.port}`;
    this.#membership = place.membership;
  }

  /** Starts the process again, with the same data and ports. */
  async start(): Promise<void> {
    const { path, args = [], tls } = this.#options;
    const { name, peerUrl, listenPeerUrl = peerUrl, cluster } = this.#membership;
    const tlsArgs =
      tls === undefined
        ? []
        : [
            ...["--cert-file", tls.certFile, "--key-file", tls.keyFile],
            ...["--trusted-ca-file", tls.caFile, "--client-cert-auth"],
          ];
    const child = spawn(
      path,
      [
        ...["--data-dir", join(this.#folder, "data"), "--log-level", "error", "--logger", "zap"],
        ...["--listen-client-urls", this.url, "--advertise-client-urls", this.url],
        ...["--listen-peer-urls", listenPeerUrl, "--initial-advertise-peer-urls", peerUrl],
        ...["--name", name, "--initial-cluster", cluster, ...tlsArgs, ...args, ...this.#furtherArgs],
      ],
      { stdio: "ignore" },
    );
    this.#child = child;
    await until("etcd listens", async () => {
      if (child.exitCode !== null) {
        throw new Error(`etcd has ended with ${child.exitCode}`);
      }
      return canConnect(new URL(this.url));
    });
  }

  /** Sends the process a signal, and resolves when it has ended, or has stopped, where that is what the signal brings. */
  async signal(name: "SIGKILL" | "SIGTERM" | "SIGSTOP" | "SIGCONT"): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) {
      return;
    }
    if (name === "SIGSTOP") {
      return suspendProcess(child.pid as number);
    }
    const ended = name === "SIGCONT" ? undefined : once(child, "exit");
    child.kill(name);
    await ended;
  }

  /** Starts the process again with a larger quota, and clears its alarms. */
  async clearAlarms({ quotaBytes }: { readonly quotaBytes: number }): Promise<void> {
    await this.signal("SIGTERM");
    this.#furtherArgs = ["--quota-backend-bytes", String(quotaBytes)];
    await this.start();
    const { Alarm } = (await loadEtcdApi()).maintenance;
    const { alarms } = await this.call(Alarm, { action: alarmAction.get });
    for (const { memberId, alarm } of alarms) {
      await this.call(Alarm, { action: alarmAction.deactivate, memberId, alarm });
    }
  }

  /** Calls a method of etcd's API, without TLS. */
  async call<Request, Response>(method: Method<Request, Response>, request: MessageInput<Request>): Promise<Response> {
    const grpc = await loadGrpc();
    const client = new grpc.Client(new URL(this.url).host, channelCredentials(grpc, undefined));
    try {
      return await callUnary(grpc, client, method, request, { deadlineMs: 30_000 });
    } finally {
      client.close();
    }
  }

  /** Tells by etcd's metrics whether no watch has older changes to read any more. */
  async watchesAreCaughtUp(): Promise<boolean> {
    const metrics = await (await fetch(`${this.url}/metrics`)).text();
    const unsynced = /^etcd_debugging_mvcc_slow_watcher_total (\d+)$/m.exec(metrics)?.[1];
    if (unsynced === undefined) {
      throw new Error("the metrics of etcd lack etcd_debugging_mvcc_slow_watcher_total");
    }
    return unsynced === "0";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.signal("SIGKILL");
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function onlyMember(): Promise<Membership> {
  const peerUrl = `http://127.0.0.1:${await freePort()}`;
  return { name: "default", peerUrl, cluster: `default=${peerUrl}` };
}

function canConnect({ port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
