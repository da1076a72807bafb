import { createHash } from "node:crypto";
import type { CertificatePem, ClientConfig } from "../kubeconfig/client-config.js";
import { createAuthorizationHeader } from "./authorization-header.js";
import type { CallTls } from "./call-tls.js";
import { type ExecPlugin, type ExecPluginOptions, openExecPlugin } from "./exec-plugin.js";
import { followCredentialFiles } from "./follow-credential-files.js";

/** Credentials of one call. */
export interface CallCredentials {
  /** `authorization`, or nothing. */
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: CallTls;
  /** Differs whenever `tls` does: a connection that was opened under another key is not for this call. */
  readonly tlsKey: string;
}

/** The source of the credentials of each call. They may change from call to call, as files and plugins rotate them. */
export interface ClientCredentials {
  /**
   * The credentials of a call that begins now; at once where there is nothing to wait for. Rejects when a file cannot be
   * read or the plugin fails.
   */
  forCall(): Promise<CallCredentials> | CallCredentials;
  /** A server has answered 401 to these: what a plugin gave is not used again. */
  refused(credentials: CallCredentials): void;
}

/** Options for tests: the clock, and the function that runs plugins. */
export interface ClientCredentialsOptions extends ExecPluginOptions {
  /** Interval in milliseconds between looks at the files. Default 1,000. */
  readonly fileCheckIntervalMs?: number;
}

/** The credentials of a client, read from `config` and the files that it names. */
export function openClientCredentials(config: ClientConfig, options: ClientCredentialsOptions = {}): ClientCredentials {
  const authorization = createAuthorizationHeader(config.authorization);
  const readTls = createTlsReader(config, options.fileCheckIntervalMs);
  // As in client-go a plugin is not asked where anything else is given.
  const asks =
    config.exec !== undefined && config.authorization === undefined && config.clientCertificate === undefined;
  const plugin: ExecPlugin | undefined =
    asks && config.exec !== undefined ? openExecPlugin(config.exec, options) : undefined;
  let last: CallCredentials | undefined;

  /** Returns one object for equal parts, so that its key is parsed once. */
  function withCertificate(tls: CallTls, clientCertificate: CertificatePem): CallTls {
    const same =
      last?.tls.clientCertificate === clientCertificate &&
      last.tls.certificateAuthorityPem === tls.certificateAuthorityPem;
    return same && last !== undefined ? last.tls : { ...tls, clientCertificate };
  }

  function settle(header: string | undefined, tls: CallTls): CallCredentials {
    if (last === undefined || last.headers["authorization"] !== header || last.tls !== tls) {
      const tlsKey = last?.tls === tls ? last.tlsKey : keyOf(tls);
      last = { headers: header === undefined ? {} : { authorization: header }, tls, tlsKey };
    }
    return last;
  }

  async function settleLater(
    pendingTls: Promise<CallTls> | CallTls,
    pendingHeader: Promise<string> | string | undefined,
  ): Promise<CallCredentials> {
    const [tls, header, given] = await Promise.all([pendingTls, pendingHeader, plugin?.credentials()]);
    if (given === undefined) {
      return settle(header, tls);
    }
    const { token, clientCertificate } = given;
    return settle(
      token === undefined ? undefined : `Bearer ${token}`,
      clientCertificate === undefined ? tls : withCertificate(tls, clientCertificate),
    );
  }

  return {
    forCall() {
      const tls = readTls();
      const header = plugin === undefined ? authorization() : undefined;
      return plugin === undefined && !(tls instanceof Promise) && !(header instanceof Promise)
        ? settle(header, tls)
        : settleLater(tls, header);
    },
    refused(credentials) {
      if (credentials === last) {
        plugin?.refused();
      }
    },
  };
}

function createTlsReader(config: ClientConfig, intervalMs: number | undefined): () => Promise<CallTls> | CallTls {
  const { certificateAuthorityPem, certificateAuthorityFile, clientCertificate, clientCertificateFiles = {} } = config;
  const initial: CallTls = {
    ...(certificateAuthorityPem === undefined ? {} : { certificateAuthorityPem }),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
  };
  const { certFile, keyFile } = clientCertificateFiles;
  const files = [certificateAuthorityFile, certFile, keyFile];
  if (files.every((file) => file === undefined)) {
    return () => initial;
  }
  return followCredentialFiles(
    files,
    initial,
    (contents) => {
      const [
        authority = certificateAuthorityPem,
        cert = clientCertificate?.certificatePem,
        key = clientCertificate?.keyPem,
      ] = contents;
      return {
        ...(authority === undefined ? {} : { certificateAuthorityPem: authority }),
        ...(cert === undefined || key === undefined
          ? {}
          : { clientCertificate: { certificatePem: cert, keyPem: key } }),
      };
    },
    intervalMs,
  );
}

function keyOf({ certificateAuthorityPem, clientCertificate }: CallTls): string {
  const parts = [
    certificateAuthorityPem ?? null,
    clientCertificate?.certificatePem ?? null,
    clientCertificate?.keyPem ?? null,
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64");
}
