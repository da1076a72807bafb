import type { ExecCluster, ExecPluginConfig, InteractiveMode } from "./client-config.js";
import { type Reading, resolvePath } from "./read-pem.js";
import { createSection, type Section } from "./section.js";

const apiVersions = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"] as const;
const interactiveModes = ["Never", "IfAvailable", "Always"] as const;

/** Reads how a user's credential plugin is to be run, if there is one. */
export function parseExec(
  user: Section,
  cluster: ExecCluster | undefined,
  reading: Reading,
): ExecPluginConfig | undefined {
  const exec = user.section("exec");
  if (exec === undefined) {
    return undefined;
  }
  const { add } = reading;
  const command = exec.requiredString("command");
  const stated = exec.requiredString("apiVersion");
  const apiVersion = apiVersions.find((known) => known === stated);
  if (stated !== undefined && apiVersion === undefined) {
    add(`${exec.path}.apiVersion`, `must be ${apiVersions.join(" or ")}`);
  }
  const interactiveMode = parseInteractiveMode(exec, stated, reading);
  const installHint = exec.string("installHint");
  const provideClusterInfo = exec.boolean("provideClusterInfo") ?? false;
  const args = exec.strings("args");
  const env = parseEnvironment(exec, reading);
  if (command === undefined || apiVersion === undefined || interactiveMode === undefined) {
    return undefined;
  }
  return {
    apiVersion,
    // A bare name is looked for in PATH; one with a folder belongs to the kubeconfig.
    command: command.includes("/") ? resolvePath(reading, command) : command,
    args,
    env,
    interactiveMode,
    ...(installHint === undefined ? {} : { installHint }),
    ...(provideClusterInfo && cluster !== undefined ? { cluster } : {}),
  };
}

function parseInteractiveMode(
  exec: Section,
  apiVersion: string | undefined,
  { add }: Reading,
): InteractiveMode | undefined {
  // The older version had no such field.
  const stated =
    apiVersion === apiVersions[1]
      ? (exec.string("interactiveMode") ?? "IfAvailable")
      : exec.requiredString("interactiveMode");
  const mode = interactiveModes.find((known) => known === stated);
  if (stated !== undefined && mode === undefined) {
    add(`${exec.path}.interactiveMode`, `must be one of ${interactiveModes.join(", ")}`);
  }
  return mode;
}

function parseEnvironment(exec: Section, { add }: Reading): ExecPluginConfig["env"] {
  return exec.list("env").flatMap((entry, index) => {
    const variable = createSection(`${exec.path}.env[${index}]`, entry, add);
    const name = variable.requiredString("name");
    return name === undefined ? [] : [{ name, value: variable.string("value") ?? "" }];
  });
}
