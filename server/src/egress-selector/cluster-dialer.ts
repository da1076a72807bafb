import { connect, isIPv6, type Socket } from "node:net";
import type { DialBackend } from "@gatehouse/apiserver/reverse-proxy";
import { type ClientCredentials, openClientCredentials } from "@gatehouse/component-base/credentials";
import {
  dial,
  hostOf,
  openTunnel,
  portOf,
  secureConnection,
  secureContextOf,
} from "@gatehouse/component-base/http-client";
import { type EgressFiles, type EgressProxy, readClusterProxy } from "./egress-configuration.js";
import type { EgressMetrics, EgressStage, EgressWay } from "./egress-metrics.js";

/** Time in milliseconds to reach a proxy on this machine. */
const socketTimeoutMs = 30_000;

/**
 * Returns the function that opens connections to the cluster as an EgressSelectorConfiguration says; undefined for direct
 * ones. Rejects with a ConfigurationError for a file that cannot be used.
 */
export async function openClusterDialer(file: string, metrics: EgressMetrics): Promise<DialBackend | undefined> {
  const proxy = await readClusterProxy(file);
  return proxy && measured(await wayThrough(proxy), metrics);
}

/** A way to a proxy. */
interface ProxyWay extends EgressWay {
  /** Connects to the proxy. Resolves to the function that opens one connection from there. */
  readonly connect: () => Promise<DialBackend>;
}

function measured({ connect, ...way }: ProxyWay, metrics: EgressMetrics): DialBackend {
  return async (address) => {
    const startMs = performance.now();
    let stage: EgressStage = "connect";
    metrics.started(way);
    try {
      const open = await connect();
      stage = "proxy";
      const socket = await open(address);
      metrics.connected(way, (performance.now() - startMs) / 1000);
      return socket;
    } catch (error) {
      metrics.failed(way, stage);
      throw error;
    }
  };
}

async function wayThrough(proxy: EgressProxy): Promise<ProxyWay> {
  if ("tunnelSocketPath" in proxy) {
    const { tunnelSocketPath } = proxy;
    const { connectKonnectivity } = await import("./konnectivity-tunnel.js");
    return {
      protocol: "grpc",
      transport: "uds",
      connect: async () => {
        const connection = await connectKonnectivity(tunnelSocketPath);
        return ({ host, port }) => connection.dial(`${isIPv6(host) ? `[${host}]` : host}:${port}`);
      },
    };
  }
  if ("socketPath" in proxy) {
    const { socketPath } = proxy;
    return {
      protocol: "http_connect",
      transport: "uds",
      connect: async () => through(await connectTo(socketPath), new URL("http://proxy")),
    };
  }
  const { url, files } = proxy;
  const way = { protocol: "http_connect", transport: "tcp" } as const;
  const at = [{ host: hostOf(url), port: portOf(url) }];
  if (files === undefined) {
    return { ...way, connect: async () => through(await dial(at), url) };
  }
  const credentials = credentialsOf(url, files);
  // A certificate that cannot be read is told of at the start.
  await credentials.forCall();
  return {
    ...way,
    connect: async () => {
      const { tls } = await credentials.forCall();
      const socket = await secureConnection(await dial(at), {
        context: secureContextOf(tls),
        authoritiesPem: tls.certificateAuthorityPem,
        serverName: hostOf(url),
        insecureSkipTlsVerify: false,
      });
      return through(socket, url);
    },
  };
}

function through(socket: Socket, proxy: URL): DialBackend {
  return (address) => openTunnel(socket, proxy, address);
}

function credentialsOf(server: URL, { authorityFile, certFile, keyFile }: EgressFiles): ClientCredentials {
  return openClientCredentials({
    server,
    insecureSkipTlsVerify: false,
    ...(authorityFile === undefined ? {} : { certificateAuthorityFile: authorityFile }),
    clientCertificateFiles: { certFile, keyFile },
  });
}

/** Connects to a socket of this machine. */
function connectTo(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path, timeout: socketTimeoutMs });
    socket.once("error", reject);
    socket.once("timeout", () => socket.destroy(new Error(`the proxy at ${path} does not answer`)));
    socket.once("connect", () => {
      socket.setTimeout(0);
      socket.off("error", reject);
      resolve(socket);
    });
  });
}
