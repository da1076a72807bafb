/** The HTTPS server to call and the identity to use: the content of a kubeconfig, with every file read once. */
export interface ClientConfig extends ClientIdentity {
  /** Base URL of requests; may have a path. */
  readonly server: URL;
  /** Authorities that may sign the server's certificate; the host's own when absent. */
  readonly certificateAuthorityPem?: string;
  /** The file they came from, if it is to be followed as it changes. */
  readonly certificateAuthorityFile?: string;
  /** Name to expect in the server's certificate, and to ask for, instead of the host in `server`. */
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify: boolean;
  /** An `http:` or `https:` proxy that connections go through. */
  readonly proxyUrl?: URL;
  /** Ask for answers that are not packed. Default false. */
  readonly disableCompression?: boolean;
  /** Namespace of the context, when it names one. */
  readonly namespace?: string;
}

/** The identity of a caller: a user entry of a kubeconfig. Empty for an anonymous caller. */
export interface ClientIdentity {
  readonly clientCertificate?: CertificatePem;
  /** The files they came from, if they are to be followed as they change. */
  readonly clientCertificateFiles?: { readonly certFile?: string; readonly keyFile?: string };
  readonly authorization?: ClientAuthorization;
  /** A program that gives credentials; counts only where nothing else is given, as in client-go. */
  readonly exec?: ExecPluginConfig;
}

/** A client certificate with those between it and the authority, and its key. */
export interface CertificatePem {
  readonly certificatePem: string;
  readonly keyPem: string;
}

/**
 * Credentials that go into the Authorization header. A token file is read again from time to time, since tokens rotate;
 * `token` serves while it cannot be read.
 */
export type ClientAuthorization =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "tokenFile"; readonly path: string; readonly token?: string }
  | { readonly kind: "basic"; readonly username: string; readonly password: string };

/** Condition under which a credential plugin may use the terminal. */
export type InteractiveMode = "Never" | "IfAvailable" | "Always";

/** A credential plugin (`users[].user.exec`) and how to run it. */
export interface ExecPluginConfig {
  readonly apiVersion: "client.authentication.k8s.io/v1" | "client.authentication.k8s.io/v1beta1";
  /** A name to look for in PATH, or an absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** Hint in the error when the command is not found. */
  readonly installHint?: string;
  readonly interactiveMode: InteractiveMode;
  /** Cluster passed to the plugin in `spec.cluster`; absent unless `provideClusterInfo` is set. */
  readonly cluster?: ExecCluster;
}

/** The cluster as ExecCredential names it. */
export interface ExecCluster {
  readonly server: string;
  readonly "tls-server-name"?: string;
  readonly "insecure-skip-tls-verify"?: boolean;
  /** Base64 of PEM. */
  readonly "certificate-authority-data"?: string;
  readonly "proxy-url"?: string;
  readonly "disable-compression"?: boolean;
  /** Content of the cluster's extension `client.authentication.k8s.io/exec`. */
  readonly config?: unknown;
}
