import { resolve } from "node:path";
import type { Command } from "@gatehouse/component-base/commands";
import { defineFlags, type FlagTable } from "@gatehouse/component-base/flags";
import { setExecUser } from "@gatehouse/component-base/kubeconfig";
import { formatMilliseconds } from "@gatehouse/envelopes/go";
import { defaultKubeconfig } from "./default-kubeconfig.js";
import { execInfoVariable, silentExecInfo } from "./exec-info.js";
import { commonFlags, parsePluginArguments } from "./parse-plugin-arguments.js";
import type { CredentialPluginDefinition } from "./plugin-definition.js";
import { tellingErrors } from "./telling-errors.js";

const group = "Kubeconfig";

const setupFlags = defineFlags({
  kubeconfig: { type: "path", group, help: "`file` to change. Default: the first of $KUBECONFIG, or ~/.kube/config." },
  cluster: { type: "string", group, help: "Entry under clusters to log in to. Default: that of the current context." },
  "user-name": { type: "string", group, help: "Entry under users to write. Default: the name of this program." },
  context: { type: "string", group, help: "Entry under contexts to write. Default: USER@CLUSTER." },
  use: { type: "bool", group, help: "Make the context the current one." },
  command: { type: "string", group, help: "Program that clients are to run. Default: the name of this one, on PATH." },
  "api-version": {
    type: "string",
    choices: ["v1", "v1beta1"],
    default: "v1",
    group,
    help: "Version of client.authentication.k8s.io; v1beta1 is for clients older than 1.22.",
  },
});

/** Writes the entry of a user that runs this plugin with the flags that are given here. */
export function setupCommand<T extends FlagTable>({
  name,
  version,
  flags,
  installHint,
  configure,
}: CredentialPluginDefinition<T>): Command {
  return {
    async run(argv, io) {
      const summary = "Writes a user with this plugin, and a context for it, into a kubeconfig.";
      const form = { command: `${name} setup`, summary, version, flags, own: setupFlags };
      const line = parsePluginArguments(form, argv, io);
      if (line === undefined) {
        return 0;
      }
      const { values, own, common, given } = line;
      return await tellingErrors(name, io, async () => {
        // What the plugin would refuse when it is run is refused now.
        await configure(values, io.env);
        const path = own.kubeconfig ?? defaultKubeconfig(io.env);
        const userName = own["user-name"] ?? name;
        const apiVersion = `client.authentication.k8s.io/${own["api-version"]}` as const;
        const context = await setExecUser(path, {
          userName,
          exec: {
            apiVersion,
            command: own.command ?? name,
            args: argumentsOf({ ...flags, ...commonFlags }, { ...values, ...common }, given),
            env: [{ name: execInfoVariable, value: silentExecInfo(apiVersion) }],
            interactiveMode: "IfAvailable",
            provideClusterInfo: false,
            ...(installHint === undefined ? {} : { installHint }),
          },
          ...(own.context === undefined ? {} : { contextName: own.context }),
          ...(own.cluster === undefined ? {} : { clusterName: own.cluster }),
          use: own.use,
        });
        io.printError(`Wrote user ${userName} and context ${context} to ${path}.`);
      });
    },
  };
}

/** The flags as they were given, each in one word. Files keep their place wherever the plugin is run. */
function argumentsOf(
  table: FlagTable,
  values: Readonly<Record<string, unknown>>,
  given: ReadonlySet<string>,
): readonly string[] {
  return Object.entries(table).flatMap(([name, { type }]) => {
    const value = values[name];
    if (!given.has(name) || value === undefined) {
      return [];
    }
    const texts = Array.isArray(value)
      ? value
      : value instanceof Map
        ? [...value].map((pair) => pair.join("="))
        : [value];
    return texts.map((text: unknown) => {
      if (type === "path") {
        return `--${name}=${resolve(String(text))}`;
      }
      return `--${name}=${type === "duration" ? formatMilliseconds(Number(text)) : String(text)}`;
    });
  });
}
