import type { IncomingMessage, ServerResponse } from "node:http";
import { type CommandIo, parseArguments } from "@gatehouse/component-base/commands";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { defineFlags } from "@gatehouse/component-base/flags";
import { pingCheck } from "@gatehouse/component-base/health";
import { healthRoutes, startHttpsService } from "@gatehouse/component-base/https-service";
import { createLogger, type Logger } from "@gatehouse/component-base/logs";
import { problemAt } from "@gatehouse/component-base/problems";
import { runUntilSignal } from "@gatehouse/component-base/shutdown";
import { createProvider } from "./create-provider.js";
import { answerInteraction } from "./interactions.js";
import { htmlPage, pagePolicy } from "./page.js";
import { readUsers } from "./users.js";

const group = "Serving";

const flags = defineFlags({
  "users-file": { type: "path", group: "Users", help: "`file` (YAML) with users: name, password and groups of each." },
  port: { type: "int", default: 8448, min: 1, max: 65_535, group, help: "Port on 127.0.0.1 to serve HTTPS on." },
  "tls-cert-file": { type: "path", group, help: "`file` with the serving certificate." },
  "tls-private-key-file": { type: "path", group, help: "`file` with its private key." },
});

/** Runs an identity provider for development until a signal stops it; resolves to the exit code. */
export async function runIdentityProvider(argv: readonly string[], io: CommandIo): Promise<number> {
  const summary = "An OpenID Connect provider to try things with: users from a file, on this machine only.";
  const line = parseArguments({ command: "gatehouse-dev-identity-provider", summary, flags }, argv, io);
  if (line === undefined) {
    return 0;
  }
  const { port, "users-file": usersFile, "tls-cert-file": certFile, "tls-private-key-file": keyFile } = line.values;
  if (usersFile === undefined || certFile === undefined || keyFile === undefined) {
    const what = "are required";
    throw new ConfigurationError("flags", [
      problemAt("--users-file, --tls-cert-file and --tls-private-key-file", what),
    ]);
  }
  const users = await readUsers(usersFile);
  const provider = await createProvider(`https://127.0.0.1:${port}`, users);
  const logger = createLogger({ name: "identity-provider", format: "text" });
  const answerProvider = provider.callback();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await (request.url?.startsWith("/interaction/")
      ? answerInteraction(provider, users, usersFile, request, response)
      : answerProvider(request, response));
  };

  const service = await startHttpsService({
    subject: "identity provider",
    tls: { certFile, keyFile },
    host: "127.0.0.1",
    port,
    logger,
    listener: ({ notStopping }) => {
      const health = healthRoutes(
        { readyz: [pingCheck, notStopping], livez: [pingCheck], healthz: [pingCheck] },
        logger,
      );
      return (request, response) => {
        health(request, response, () => {
          answer(request, response).catch((error: unknown) => refuse(response, error, logger));
        });
      };
    },
  });
  await runUntilSignal({
    process: io.process,
    logger,
    deadlineMs: 5000,
    tasks: [{ name: "server", drain: (signal) => service.stop(signal) }],
  });
  return 0;
}

/** Most often somebody who comes back to a login that is over. */
function refuse(response: ServerResponse, error: unknown, logger: Logger): void {
  logger.info("a request was refused", { reason: error instanceof Error ? error.name : typeof error });
  if (response.headersSent) {
    response.destroy();
  } else {
    const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": pagePolicy };
    response
      .writeHead(400, headers)
      .end(htmlPage("This login is over", "<p>Go back to your terminal and start again.</p>"));
  }
}
