import type { BackendTls, DialBackend } from "@gatehouse/apiserver/reverse-proxy";
import { Transport, tlsOfCredentials } from "@gatehouse/apiserver/reverse-proxy";
import { type ClientCredentials, openClientCredentials } from "@gatehouse/component-base/credentials";
import { dial } from "@gatehouse/component-base/http-client";
import type { NodeCallsConfig } from "../options/kubelet.js";

/** The transports of calls to nodes, and to the pods and services of the cluster. */
export interface NodeTransports extends Disposable {
  /** Calls kubelets with the client certificate, and checks theirs if authorities are configured. */
  readonly kubelet: Transport;
  /** Calls kubelets as `kubelet` does, and takes any certificate. */
  readonly insecureKubelet: Transport;
  /** Calls pods, and ports of nodes besides that of the kubelet; their certificates are for names that nobody here knows. */
  readonly proxy: Transport;
}

/** Makes the transports. `egress` opens the connections to the cluster, where a proxy is configured for them. */
export function openNodeTransports(config: NodeCallsConfig, egress: DialBackend | undefined): NodeTransports {
  const credentials = kubeletCredentials(config);
  const toKubelets: DialBackend = egress ?? ((address) => dial([address], config.dialTimeoutMs));
  const secure = tlsOfCredentials(credentials, { insecureSkipTlsVerify: config.authorityFile === undefined });
  const insecure = tlsOfCredentials(credentials, { insecureSkipTlsVerify: true });
  const anyServer: BackendTls = { insecureSkipTlsVerify: true };
  const kubelet = new Transport({ tls: secure, dial: toKubelets });
  const insecureKubelet = new Transport({ tls: insecure, dial: toKubelets });
  const proxy = new Transport({ tls: () => anyServer, ...(egress === undefined ? {} : { dial: egress }) });
  return {
    kubelet,
    insecureKubelet,
    proxy,
    [Symbol.dispose]() {
      for (const transport of [kubelet, insecureKubelet, proxy]) {
        transport[Symbol.dispose]();
      }
    },
  };
}

/** Opens the credentials for kubelets, which follow their files. */
function kubeletCredentials({ authorityFile, clientFiles }: NodeCallsConfig): ClientCredentials {
  return openClientCredentials({
    // The kubelets' addresses come with each call.
    server: new URL("https://kubelet.invalid"),
    insecureSkipTlsVerify: authorityFile === undefined,
    ...(authorityFile === undefined ? {} : { certificateAuthorityFile: authorityFile }),
    ...(clientFiles === undefined ? {} : { clientCertificateFiles: clientFiles }),
  });
}
