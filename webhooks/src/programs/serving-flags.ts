import { ConfigurationError } from "@gatehouse/component-base/errors";
import { defineFlags, type FlagValues } from "@gatehouse/component-base/flags";
import { anyCaller, type CallerAuthenticator, openBearerTokens } from "@gatehouse/component-base/https-service";
import { createLogger, type Logger } from "@gatehouse/component-base/logs";
import { problemAt } from "@gatehouse/component-base/problems";
import type { WebhookServerOptions } from "../toolkit/server/start-webhook-server.js";

const serving = "Serving";
const callers = "Callers";
const limits = "Limits";

/** Flags of every webhook server: address, certificates, callers, limits and logs. */
export const servingFlags = defineFlags({
  "bind-address": {
    type: "string",
    default: "0.0.0.0",
    group: serving,
    help: "The `IP` address to listen on. 0.0.0.0 and :: mean all addresses of both families.",
  },
  port: {
    type: "int",
    default: 8443,
    min: 0,
    max: 65535,
    group: serving,
    help: "The port to serve HTTPS on. 0 picks a free one.",
  },
  "tls-cert-file": {
    type: "path",
    group: serving,
    help: "`file` with the serving certificate, intermediates after it. Followed as it is replaced.",
  },
  "tls-private-key-file": { type: "path", group: serving, help: "`file` with the private key of --tls-cert-file." },
  "client-ca-file": {
    type: "path",
    group: callers,
    help: "`file` with authorities. Callers with a client certificate signed by one of them are believed.",
  },
  "client-allowed-names": {
    type: "stringList",
    group: callers,
    help: "Common `names` of client certificates that may call. Any, when none is given.",
  },
  "token-file": {
    type: "path",
    group: callers,
    help: "`file` with bearer tokens of callers, one a line. Read again as it changes.",
  },
  "allow-any-caller": { type: "bool", group: callers, help: "Believe everybody who can reach the port." },
  "max-body-bytes": {
    type: "int",
    default: 7 * 1024 * 1024,
    min: 1024,
    group: limits,
    help: "Longest review: two objects of 3 MiB, the object and what it was, and 1 MiB for the rest.",
  },
  "max-concurrent": { type: "int", default: 64, min: 1, group: limits, help: "Reviews that are worked on at a time." },
  "max-waiting": {
    type: "int",
    default: 512,
    min: 0,
    group: limits,
    help: "Reviews that may wait for that; others are answered 429.",
  },
  "shutdown-grace": {
    type: "duration",
    default: "30s",
    min: 0,
    group: limits,
    help: "How long reviews under way may go on after SIGTERM.",
  },
  "logging-format": {
    type: "string",
    default: "json",
    choices: ["json", "text"],
    group: "Logs",
    help: "json for machines, text for people.",
  },
  v: { type: "int", default: 2, min: 0, max: 10, group: "Logs", help: "Verbosity; from 4 on, debugging." },
});

type ServingValues = FlagValues<typeof servingFlags>;

/** Returns the logger that the flags ask for. */
export function loggerOf(values: ServingValues, name: string): Logger {
  return createLogger({
    name,
    level: values.v >= 4 ? "debug" : "info",
    format: values["logging-format"],
  });
}

/**
 * Returns the options of a server that the flags ask for. Throws ConfigurationError when a required flag is missing.
 */
export async function servingOptions(values: ServingValues): Promise<Omit<WebhookServerOptions, "endpoints">> {
  const tls = tlsOf(values);
  const believed = await callersOf(values);
  const { "client-allowed-names": clientNames } = values;
  return {
    tls,
    ...(believed === undefined ? {} : { callers: believed }),
    ...(clientNames.length === 0 ? {} : { clientNames }),
    limits: {
      maxBodyBytes: values["max-body-bytes"],
      maxConcurrent: values["max-concurrent"],
      maxWaiting: values["max-waiting"],
    },
    host: values["bind-address"],
    port: values.port,
  };
}

function tlsOf(values: ServingValues): WebhookServerOptions["tls"] {
  const { "tls-cert-file": certFile, "tls-private-key-file": keyFile, "client-ca-file": clientCaFile } = values;
  if (certFile === undefined || keyFile === undefined) {
    throw new ConfigurationError("flags", [
      ...(certFile === undefined ? [problemAt("--tls-cert-file", "is required")] : []),
      ...(keyFile === undefined ? [problemAt("--tls-private-key-file", "is required")] : []),
    ]);
  }
  return { certFile, keyFile, ...(clientCaFile === undefined ? {} : { clientCaFile }) };
}

/**
 * Returns the authenticator of callers; undefined when no flag names one. The server then accepts client certificates, or
 * refuses to start without authorities for them.
 */
async function callersOf(values: ServingValues): Promise<CallerAuthenticator | undefined> {
  if (values["allow-any-caller"]) {
    return anyCaller;
  }
  const { "token-file": tokenFile } = values;
  if (tokenFile === undefined) {
    return undefined;
  }
  try {
    return await openBearerTokens({ file: tokenFile });
  } catch (error) {
    const reason = error instanceof Error ? error.message : "cannot be read";
    throw new ConfigurationError("flags", [problemAt("--token-file", reason)]);
  }
}
