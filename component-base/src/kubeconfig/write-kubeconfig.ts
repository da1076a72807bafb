import { writeFileAtomic } from "../files/write-file-atomic.js";

/** One cluster, one user with a client certificate, one context that joins them. */
export interface KubeconfigContent {
  /** Name of the cluster and, with the user's name, of the context (`admin@cluster`). */
  readonly clusterName: string;
  /** `https://host:port`. */
  readonly server: string;
  readonly certificateAuthorityPem: string;
  readonly userName: string;
  readonly clientCertificatePem: string;
  readonly clientKeyPem: string;
}

/** Stores a kubeconfig for kubectl and every other client. It holds a private key, so the mode is 0600. */
export async function writeKubeconfig(path: string, content: KubeconfigContent): Promise<void> {
  await writeFileAtomic(path, formatKubeconfig(content), { mode: 0o600 });
}

/** The text of a kubeconfig, YAML in the order kubectl itself writes. */
export function formatKubeconfig(content: KubeconfigContent): string {
  const contextName = `${content.userName}@${content.clusterName}`;
  return `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${base64(content.certificateAuthorityPem)}
    server: ${quote(content.server)}
  name: ${quote(content.clusterName)}
contexts:
- context:
    cluster: ${quote(content.clusterName)}
    user: ${quote(content.userName)}
  name: ${quote(contextName)}
current-context: ${quote(contextName)}
kind: Config
preferences: {}
users:
- name: ${quote(content.userName)}
  user:
    client-certificate-data: ${base64(content.clientCertificatePem)}
    client-key-data: ${base64(content.clientKeyPem)}
`;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** A JSON string is a YAML string, too; simple ones need no quotation marks. */
function quote(text: string): string {
  return /^(?!true$|false$|null$|yes$|no$|on$|off$)[a-z][a-z0-9@/._-]*(:\/\/[a-z0-9./:-]+)?$/.test(text)
    ? text
    : JSON.stringify(text);
}
