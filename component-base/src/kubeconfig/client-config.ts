/** How to reach an HTTPS server and who to be there: what a kubeconfig says, with every file read. */
export interface ClientConfig {
  /** Where requests go; may have a path. */
  readonly server: URL;
  /** Authorities that may sign the server's certificate; the host's own when absent. */
  readonly certificateAuthorityPem?: string;
  /** Name to expect in the server's certificate instead of the host in `server`. */
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify: boolean;
  readonly clientCertificate?: { readonly certificatePem: string; readonly keyPem: string };
  readonly authorization?: ClientAuthorization;
  /** Namespace of the context, when it names one. */
  readonly namespace?: string;
}

/** Credentials that go into the Authorization header. A token file is read again from time to time, since tokens rotate. */
export type ClientAuthorization =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "tokenFile"; readonly path: string }
  | { readonly kind: "basic"; readonly username: string; readonly password: string };
