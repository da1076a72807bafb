import { readFile } from "node:fs/promises";
import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { defineFlags, type FlagValues } from "@gatehouse/component-base/flags";
import { ConfigurationError, problemAt } from "@gatehouse/component-base/problems";
import { certificatesOf } from "@gatehouse/component-base/tls";
import { encodeYaml } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { openCluster } from "../../../toolkit/cluster/open-cluster.js";
import { type HookLocation, webhookConfigurations } from "../../../toolkit/registration/webhook-configurations.js";
import { conversionRegistrations } from "../registration/conversion-registrations.js";
import { applyRegistration, takeBackRegistration } from "../registration/registered.js";
import { hookFlags, loadHooksOfFlags } from "./hook-flags.js";

const group = "Registration";

const flags = defineFlags({
  ...hookFlags,
  name: { type: "string", default: "gatehouse-admission", group, help: "Name of the configuration `objects`." },
  url: { type: "string", group, help: "`address` at which API servers reach the hooks: https://host:port." },
  service: { type: "string", group, help: "`namespace/name` of the Service in front of the hooks, in place of --url." },
  "service-port": { type: "int", default: 443, min: 1, max: 65535, group, help: "Port of the Service." },
  "ca-file": { type: "path", group, help: "PEM `file` of the authorities that sign the hooks' certificate." },
  "own-namespace": {
    type: "string",
    group,
    help: "`namespace` that the hooks leave alone: that in which they run. Default: that of --service.",
  },
  apply: { type: "bool", group, help: "Apply the objects to the cluster of --kubeconfig, in place of printing them." },
  kubeconfig: { type: "path", group, help: "kubeconfig `file`. Default: KUBECONFIG." },
});

/**
 * The command `gatehouse-admission register`, which prints or applies the objects that register hooks and converters.
 */
export const registerCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse-admission register",
      summary: "Prints, or applies, the webhook configuration objects that tell API servers of hooks and converters.",
      flags,
    };
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const objects = await registrationObjects(line.values);
    if (!line.values.apply) {
      io.print(
        objects
          .map((object) => encodeYaml(object))
          .join("---\n")
          .trimEnd(),
      );
      return 0;
    }
    using cluster = await openCluster({ kubeconfigFile: line.values.kubeconfig, env: io.env });
    await applyRegistration(cluster, line.values.name, objects);
    for (const { kind, metadata } of objects) {
      io.print(`${kind} ${(metadata as JsonObject)["name"]} applied`);
    }
    // A registration of hooks that are no longer declared would go on calling endpoints that are not there.
    for (const object of await takeBackRegistration(cluster, line.values.name, objects)) {
      io.print(`${object} taken back`);
    }
    return 0;
  },
};

async function registrationObjects(values: FlagValues<typeof flags>): Promise<JsonObject[]> {
  const location = locationOf(values);
  const { hooks, converters } = await loadHooksOfFlags(values);
  const { "ca-file": caFile, "own-namespace": named, name } = values;
  const ownNamespace = named ?? ("service" in location ? location.service.namespace : undefined);
  const options = {
    name,
    location,
    ...(caFile === undefined ? {} : { caBundlePem: await readCa(caFile) }),
    ...(ownNamespace === undefined ? {} : { ownNamespace }),
  };
  return [
    ...webhookConfigurations({ ...options, hooks }),
    ...conversionRegistrations({ ...options, converters }),
  ] as unknown as JsonObject[];
}

function locationOf(values: FlagValues<typeof flags>): HookLocation {
  const { url, service } = values;
  if ((url === undefined) === (service === undefined)) {
    throw new ConfigurationError("flags", [problemAt("--url", "give one of --url and --service")]);
  }
  if (url !== undefined) {
    if (!/^https:\/\/[^/]/.test(url) || !URL.canParse(url)) {
      throw new ConfigurationError("flags", [
        problemAt("--url", "must be an https address: API servers call nothing else"),
      ]);
    }
    return { url };
  }
  const [namespace = "", name = "", ...more] = service?.split("/") ?? [];
  if (namespace === "" || name === "" || more.length > 0) {
    throw new ConfigurationError("flags", [problemAt("--service", "must have the form namespace/name")]);
  }
  return { service: { namespace, name, port: values["service-port"] } };
}

async function readCa(file: string): Promise<string> {
  const refuse = (text: string): ConfigurationError => new ConfigurationError(file, [problemAt("--ca-file", text)]);
  const pem = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw refuse(`cannot be read (${error.code})`);
  });
  const authorities = certificatesOf(pem);
  if (authorities.length === 0) {
    throw refuse("holds no certificate in PEM");
  }
  // A file that holds a key, too, must not be printed.
  return authorities.map((certificate) => certificate.toString()).join("");
}
