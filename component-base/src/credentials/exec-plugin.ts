import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { type ClientEvents, tell } from "../http-client/client-events.js";
import type { CertificatePem, ExecPluginConfig } from "../kubeconfig/client-config.js";
import { type ExecCredentialStatus, parseExecCredential } from "./exec-credential.js";
import { type RunProgram, runProgram } from "./run-program.js";

/** Credentials that a plugin has given. */
export interface PluginCredentials {
  readonly token?: string;
  readonly clientCertificate?: CertificatePem;
}

/** A credential plugin. Its program runs when there are no credentials that hold, and never twice at a time. */
export interface ExecPlugin {
  /** Rejects with an error in client-go's words when the program cannot be run or gives nothing that can be used. */
  credentials(): Promise<PluginCredentials>;
  /** The credentials were not accepted: the program runs again for the next call. */
  refused(): void;
}

/** Options for running plugins; each has its real default. */
export interface ExecPluginOptions {
  readonly run?: RunProgram;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Reports whether standard input is a terminal. */
  readonly isTerminal?: () => boolean;
}

const environmentVariable = "KUBERNETES_EXEC_INFO";
const timeoutMs = 60_000;
/** A person who logs in needs longer. */
const interactiveTimeoutMs = 600_000;

/** Makes ready to run a plugin; nothing runs before credentials are asked for. */
export function openExecPlugin(config: ExecPluginConfig, options: ExecPluginOptions = {}): ExecPlugin {
  const { run = runProgram, now = Date.now, isTerminal = () => process.stdin.isTTY === true } = options;
  let cached: { readonly credentials: PluginCredentials; readonly until: number } | undefined;
  let running: Promise<PluginCredentials> | undefined;

  async function refresh(): Promise<PluginCredentials> {
    const interactive = isInteractive(config, isTerminal);
    const { installHint } = config;
    const output = await runAndTell({
      command: config.command,
      args: config.args,
      environment: {
        ...Object.fromEntries(config.env.map(({ name, value }) => [name, value])),
        [environmentVariable]: execInfo(config, interactive),
      },
      inheritInput: interactive,
      timeoutMs: interactive ? interactiveTimeoutMs : timeoutMs,
      ...(installHint === undefined ? {} : { installHint }),
    });
    const status = await parseExecCredential(output, config.apiVersion);
    const credentials = credentialsOf(status);
    tell("pluginRun", () => ({ exitCode: 0, outcome: "no_error", certificate: validityOf(credentials) }));
    cached = { credentials, until: status.expiresAt ?? Number.POSITIVE_INFINITY };
    return credentials;
  }

  async function runAndTell(program: Parameters<RunProgram>[0]): Promise<string> {
    try {
      return await run(program);
    } catch (error) {
      tell("pluginRun", () => ({ ...outcomeOf(error), certificate: undefined }));
      throw error;
    }
  }

  return {
    credentials() {
      if (cached !== undefined && now() <= cached.until) {
        return Promise.resolve(cached.credentials);
      }
      running ??= refresh().finally(() => {
        running = undefined;
      });
      return running;
    },
    refused() {
      cached = undefined;
    },
  };
}

/** Returns the outcome of a failed run, in client-go's words. */
function outcomeOf(error: unknown): Pick<ClientEvents["pluginRun"], "exitCode" | "outcome"> {
  if (!(error instanceof Error)) {
    return { exitCode: 1, outcome: "client_internal_error" };
  }
  const exitCode = / failed with exit code (-?\d+)$/.exec(error.message)?.[1];
  if (exitCode !== undefined) {
    return { exitCode: Number(exitCode), outcome: "plugin_execution_error" };
  }
  const isMissing = / not found(\n|$)/.test(error.message);
  return { exitCode: 1, outcome: isMissing ? "plugin_not_found_error" : "client_internal_error" };
}

function validityOf({ clientCertificate }: PluginCredentials): ClientEvents["pluginRun"]["certificate"] {
  if (clientCertificate === undefined) {
    return undefined;
  }
  const { validFrom, validTo } = new X509Certificate(clientCertificate.certificatePem);
  return { notBefore: Date.parse(validFrom), notAfter: Date.parse(validTo) };
}

function isInteractive({ interactiveMode }: ExecPluginConfig, isTerminal: () => boolean): boolean {
  if (interactiveMode === "Always" && !isTerminal()) {
    throw new Error("exec plugin cannot support interactive mode: standard input is not a terminal");
  }
  return interactiveMode !== "Never" && isTerminal();
}

function execInfo({ apiVersion, cluster }: ExecPluginConfig, interactive: boolean): string {
  const spec = { ...(cluster === undefined ? {} : { cluster }), interactive };
  return JSON.stringify({ kind: "ExecCredential", apiVersion, spec });
}

function credentialsOf({ token, clientCertificate }: ExecCredentialStatus): PluginCredentials {
  if (clientCertificate !== undefined) {
    try {
      createSecureContext({ cert: clientCertificate.certificatePem, key: clientCertificate.keyPem });
    } catch (error) {
      throw new Error("failed parsing client key/certificate", { cause: error });
    }
  }
  return {
    ...(token === undefined ? {} : { token }),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
  };
}
