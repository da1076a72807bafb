import { versionLine } from "@gatehouse/apiserver/discovery";
import { createLogger } from "@gatehouse/component-base/logs";
import { readAuthoritiesAhead } from "@gatehouse/component-base/tls";
import { adaptArguments, etcdServerOf, readApiServerArguments } from "./api-server-arguments.js";
import { endWithParent } from "./end-with-parent.js";
import { askForData } from "./etcd-data.js";
import type { HeldPort } from "./held-port.js";

/**
 * Runs the `kube-apiserver` that test harnesses start in place of the real one, with its command line (decision 0072). A port
 * that is open already gets its answers when the server is ready.
 */
export async function runApiServer(argv: readonly string[], port?: HeldPort): Promise<void> {
  if (argv.includes("--version")) {
    process.stdout.write(`${versionLine}\n`);
    return;
  }
  const flags = readApiServerArguments(argv);
  const etcd = etcdServerOf(flags);
  const additions = new Set((process.env["GATEHOUSE_ENVTEST"] ?? "").split(","));
  const folders = new Set(flags.filter(({ name }) => name === "cert-dir").map(({ value }) => value ?? ""));
  if (!additions.has("detached")) {
    endWithParent(folders);
  }
  readAuthoritiesAhead();
  const asked = etcd?.startsWith("http://") ? askForData(etcd) : undefined;
  // Loaded while etcd answers.
  const [{ serveForks }, { startServer }, { runServer }] = await Promise.all([
    import("../harness/serve-forks.js"),
    import("../server.js"),
    import("../run-server.js"),
  ]);
  const data = await asked;
  if (data !== undefined) {
    folders.add(data.directory); // The server may open it, and so make it again, when etcd has gone and deleted it.
  }
  const adapted = adaptArguments(flags, { data, controllers: additions.has("controllers") });
  const logger = createLogger({ name: "kube-apiserver", format: "text" });
  for (const note of adapted.notes) {
    logger.warn(note);
  }
  await runServer(adapted.argv, (config, log) => ({
    ...serveForks(config, log, (ofFork, logOfFork, parts) =>
      startServer(ofFork, logOfFork, {}, undefined, undefined, parts),
    ),
    ...(port && { connections: port, onReady: () => port.release() }),
  }));
}
