import { networkInterfaces } from "node:os";
import type { HttpClient } from "@gatehouse/component-base/http-client";
import type { ControlPlaneCertificates } from "@gatehouse/testing/certificates";
import { startNode, type TestNode } from "@gatehouse/testing/kubelet";

/** An API server with a stand-in for a node, each of which verifies the other's certificate. */
export interface ServerWithNode extends AsyncDisposable {
  readonly node: TestNode;
  kubeconfigFile(): Promise<string>;
  /** Requests as the administrator. */
  readonly client: HttpClient;
}

/** Parts of a server of tests that a node needs. */
interface Server extends AsyncDisposable {
  readonly client: HttpClient;
  readonly certificates: ControlPlaneCertificates;
  kubeconfigFile(): Promise<string>;
}

/**
 * The address of this machine that servers proxy to: one that is not loopback, if there is one. Connections to it do not
 * leave the machine.
 */
export const proxiedAddress: string | undefined = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

/** Starts a server, and a node that only it may call. */
export async function withNode(start: () => Promise<Server>): Promise<ServerWithNode> {
  const server = await start();
  try {
    const address = proxiedAddress === undefined ? {} : { address: proxiedAddress };
    const node = await startNode(server, {
      requireClientCertificate: true,
      pages: { "/metrics": "up 1\n" },
      ...address,
    });
    return {
      node,
      client: server.client,
      kubeconfigFile: () => server.kubeconfigFile(),
      async [Symbol.asyncDispose]() {
        await node.stop();
        await server[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

/** Returns the flags by which a server verifies kubelets and is known by them. Control planes of the kit have them. */
export function kubeletFlags(certificates: ControlPlaneCertificates): readonly string[] {
  return [
    `--kubelet-certificate-authority=${certificates.caFile}`,
    `--kubelet-client-certificate=${certificates.kubeletClientCertFile}`,
    `--kubelet-client-key=${certificates.kubeletClientKeyFile}`,
  ];
}
