import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { ControlPlane } from "@gatehouse/testing";
import { createApiClient } from "../spec/support/api-client.js";
import { EtcdProcess, findEtcd, type NetworkedCluster, startNetworkedCluster } from "../support/etcd-process.js";
import { startTestServer } from "../support/start-test-server.js";
import { TcpProxy } from "../support/tcp-proxy.js";
import { type Fault, pauseProcesses } from "./faults.js";
import { historyRequests, isLong, recordAndCheck } from "./record-and-check.js";

const found = await findEtcd();
const [members, servers] = isLong ? [3, 3] : [1, 2];
/** Requests to a stopped server are given up after it. */
const timeoutMs = 5000;

const closing: (() => unknown)[] = [];
after(async () => {
  for (const close of closing.reverse()) {
    await close();
  }
});

test(`${historyRequests} requests to ${servers} servers on an etcd of ${members} are linearizable, while servers are killed, stopped and cut off`, {
  skip: "skip" in found ? found.skip : false,
}, async (context) => {
  const path = "path" in found ? found.path : "";
  const etcd = await startCluster(path);
  const cluster = etcd.members;
  closing.push(() => Promise.all([...cluster, ...etcd.networks].map((part) => part[Symbol.asyncDispose]())));
  const each = Array.from({ length: servers }, (_, index) => index);
  const all = await Promise.all(each.map((index) => startServer(index, cluster)));
  const clients = (options?: { readonly timeoutMs: number }) =>
    all.map(({ server }) => {
      const client = createApiClient(server.clientConfig, options);
      closing.push(() => client[Symbol.dispose]());
      return client;
    });
  await recordAndCheck(context, {
    connections: clients({ timeoutMs }),
    watching: clients(),
    faults: [...serverFaults(all), ...(isLong ? memberFaults(etcd) : [])],
  });
});

async function startCluster(path: string): Promise<NetworkedCluster> {
  return members === 1
    ? { members: [await EtcdProcess.start({ path })], networks: [] }
    : await startNetworkedCluster({ path }, members);
}

/** A server, with a network of its own to each member of the cluster. */
interface ServerInNetwork {
  readonly server: ControlPlane;
  readonly networks: readonly TcpProxy[];
}

async function startServer(index: number, cluster: readonly EtcdProcess[]): Promise<ServerInNetwork> {
  const networks = await Promise.all(cluster.map(({ url }) => TcpProxy.start(Number(new URL(url).port))));
  closing.push(() => Promise.all(networks.map((network) => network[Symbol.asyncDispose]())));
  const server = await startTestServer({
    flags: [
      `--etcd-servers=${networks.map(({ port }) => `http://127.0.0.1:${port}`).join()}`,
      "--controllers=*,-bootstrap-roles,-root-ca-certificate-publisher-controller",
      `--advertise-address=10.1.0.${index + 1}`,
    ],
  });
  closing.push(() => server.stop());
  return { server, networks };
}

/** Faults that are over before clients give a server up, and some that are not. */
function durationMs(): number {
  return isLong ? 200 + Math.random() ** 3 * 8000 : 100;
}

function serverFaults(all: readonly ServerInNetwork[]): Fault[] {
  const any = (): ServerInNetwork => oneOf(all);
  return [
    {
      name: "a server is killed",
      run: async () => {
        const { server } = any();
        await server.kill("SIGKILL");
        await server.restart();
      },
    },
    { name: "a server is stopped", run: () => pauseProcesses([any().server.pid], durationMs()) },
    { name: "a server is cut off from etcd", run: () => cutOff(any().networks) },
    { name: "a server is cut off from one member", run: () => cutOff([oneOf(any().networks)]) },
    {
      name: "connections to etcd are broken",
      run: async () => {
        for (const network of any().networks) {
          network.reset();
        }
      },
    },
  ];
}

function memberFaults({ members: cluster, networks }: NetworkedCluster): Fault[] {
  return [
    { name: "the others cannot reach a member", run: () => cutOff([oneOf(networks)]) },
    {
      name: "one member can be reached by the others",
      run: async () => {
        const reached = oneOf(networks);
        await cutOff(networks.filter((network) => network !== reached));
      },
    },
    { name: "no member hears from another", run: () => cutOff(networks) },
    {
      name: "connections between members are broken",
      run: async () => {
        for (const network of networks) {
          network.reset();
        }
      },
    },
    {
      name: "a member is killed",
      run: async () => {
        const member = oneOf(cluster);
        await member.signal("SIGKILL");
        await sleep(durationMs());
        await member.start();
      },
    },
    {
      name: "a member is stopped",
      run: async () => {
        const member = oneOf(cluster);
        await member.signal("SIGSTOP");
        await sleep(durationMs());
        await member.signal("SIGCONT");
      },
    },
  ];
}

async function cutOff(networks: readonly TcpProxy[]): Promise<void> {
  for (const network of networks) {
    network.cut();
  }
  await sleep(durationMs());
  for (const network of networks) {
    network.heal();
  }
}

function oneOf<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)] as T;
}
