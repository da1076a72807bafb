import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createHttpClient, type HttpClient } from "@gatehouse/component-base/http-client";
import { type ClientConfig, type KubeconfigContent, writeKubeconfig } from "@gatehouse/component-base/kubeconfig";
import type { CertificateAndKey } from "@gatehouse/component-base/pki";

/** A user that a control plane knows by a client certificate. */
export interface TestUser {
  readonly name: string;
  /** Groups of the user; none by default. `system:masters` may do everything. */
  readonly groups?: readonly string[];
}

/** A kubeconfig as an object, for `new KubeConfig().loadFromString(JSON.stringify(kubeconfig))` and for kubectl. */
export interface Kubeconfig {
  readonly apiVersion: "v1";
  readonly kind: "Config";
  readonly clusters: readonly [
    {
      readonly name: string;
      readonly cluster: { readonly server: string; readonly "certificate-authority-data": string };
    },
  ];
  readonly users: readonly [
    {
      readonly name: string;
      readonly user: { readonly "client-certificate-data": string; readonly "client-key-data": string };
    },
  ];
  readonly contexts: readonly [
    { readonly name: string; readonly context: { readonly cluster: string; readonly user: string } },
  ];
  readonly "current-context": string;
}

/** Credentials and address that one user connects with, in the forms that clients take. */
export interface ClusterAccess {
  readonly userName: string;
  readonly groups: readonly string[];
  /** The user's certificate and key and the server's authority as PEM: options of `https.request`, `tls.connect` and undici. */
  readonly tls: { readonly ca: string; readonly cert: string; readonly key: string };
  readonly kubeconfig: Kubeconfig;
  /** Requests as this user, over connections that the control plane closes when it stops. */
  readonly client: HttpClient;
  /** Settings of `createHttpClient` (@gatehouse/component-base), for tests that need a client of their own. */
  readonly clientConfig: ClientConfig;
  /** Writes the kubeconfig into the private folder of the control plane, with mode 0600, once; resolves to its path. */
  kubeconfigFile(): Promise<string>;
}

/** Parts of a control plane that an access needs. */
export interface AccessOptions {
  /** The server and the authority that it is verified with. */
  readonly connection: ClientConfig;
  /** Kubeconfigs are written here. */
  readonly folder: string;
  /** Takes what must be closed when the control plane stops. */
  readonly closeLater: (client: Disposable) => void;
}

/** Makes the access of a user from the user's certificate. */
export function clusterAccess(
  { name, groups = [] }: TestUser,
  { certificatePem, keyPem }: CertificateAndKey,
  options: AccessOptions,
): ClusterAccess {
  const clientConfig: ClientConfig = { ...options.connection, clientCertificate: { certificatePem, keyPem } };
  const { server, certificateAuthorityPem = "" } = clientConfig;
  const content: KubeconfigContent = {
    clusterName: "test",
    server: server.origin,
    certificateAuthorityPem,
    userName: name,
    clientCertificatePem: certificatePem,
    clientKeyPem: keyPem,
  };
  let client: HttpClient | undefined;
  let file: Promise<string> | undefined;
  return {
    userName: name,
    groups,
    tls: { ca: certificateAuthorityPem, cert: certificatePem, key: keyPem },
    get kubeconfig() {
      return kubeconfigOf(content);
    },
    clientConfig,
    // Made when first used: the TLS settings of each client take milliseconds.
    get client() {
      if (client === undefined) {
        client = createHttpClient({ config: clientConfig });
        options.closeLater(client);
      }
      return client;
    },
    kubeconfigFile() {
      file ??= writeFileOf(options.folder, content);
      return file;
    },
  };
}

/** Files are named by the user, whose name may hold anything. */
async function writeFileOf(folder: string, content: KubeconfigContent): Promise<string> {
  const kubeconfigs = join(folder, "kubeconfigs");
  await mkdir(kubeconfigs, { recursive: true, mode: 0o700 });
  const path = join(kubeconfigs, `${Buffer.from(content.userName).toString("hex").slice(0, 200)}.yaml`);
  await writeKubeconfig(path, content);
  return path;
}

function kubeconfigOf(content: KubeconfigContent): Kubeconfig {
  const { clusterName, userName, server } = content;
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  const context = `${userName}@${clusterName}`;
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: clusterName,
        cluster: { server, "certificate-authority-data": base64(content.certificateAuthorityPem) },
      },
    ],
    users: [
      {
        name: userName,
        user: {
          "client-certificate-data": base64(content.clientCertificatePem),
          "client-key-data": base64(content.clientKeyPem),
        },
      },
    ],
    contexts: [{ name: context, context: { cluster: clusterName, user: userName } }],
    "current-context": context,
  };
}
