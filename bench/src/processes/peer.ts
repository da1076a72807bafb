import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import type { BenchEnvironment, PeerOptions } from "../bench-environment.js";
import type { ClientCertificates } from "../certificates.js";
import type { LoadTarget } from "../load/writers.js";
import { ApiClient } from "./api-client.js";

/** The other server, and a client of it. */
export interface Peer extends LoadTarget {
  readonly certificates: ClientCertificates;
  readonly client: ApiClient;
}

/** Reads how to reach the other server. Throws when there is no certificate of a client. */
export async function openPeer(environment: BenchEnvironment, { kubeconfig, pids }: PeerOptions): Promise<Peer> {
  const { server, certificateAuthorityPem, clientCertificate } = await loadKubeconfig(kubeconfig);
  if (certificateAuthorityPem === undefined || clientCertificate === undefined) {
    throw new Error(`${kubeconfig} names no authority, or no client certificate`);
  }
  const directory = await environment.makeDirectory();
  const file = async (name: string, content: string): Promise<string> => {
    const path = join(directory, name);
    await writeFile(path, content, { mode: 0o600 });
    return path;
  };
  const certificates = {
    caFile: await file("ca.crt", certificateAuthorityPem),
    clientCertFile: await file("client.crt", clientCertificate.certificatePem),
    clientKeyFile: await file("client.key", clientCertificate.keyPem),
  };
  const port = Number(server.port);
  return { port, certificates, pids, client: new ApiClient(port, certificates) };
}
