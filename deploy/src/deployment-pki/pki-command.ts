import { isIP } from "node:net";
import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { defineFlags } from "@gatehouse/component-base/flags";
import { ConfigurationError, problemAt } from "@gatehouse/component-base/problems";
import { writeDeploymentPki } from "./write-deployment-pki.js";

const group = "PKI";

const flags = defineFlags({
  directory: { type: "path", group, help: "The `directory` that gets a folder for each process and person. Required." },
  "api-server": {
    type: "string",
    default: "https://localhost:6443",
    group,
    help: "The `URL` at which people reach the API server.",
  },
  host: {
    type: "string",
    group,
    help: "The `host` (name or IP) at which the API server reaches the other processes, when all run on one machine. Each is reached at the name of its program when not given, as in compose and Kubernetes.",
  },
});

/** `gatehouse pki`: the certificates of a deployment. Run again, it renews what ends within 30 days. */
export const pkiCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse pki",
      summary:
        "Makes authorities, certificates, keys and kubeconfigs for every process of a deployment, each in a folder of its own. Run again, it renews what ends within 30 days.",
      flags,
    };
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { directory, host, "api-server": address } = line.values;
    const apiServer = URL.canParse(address) ? new URL(address) : undefined;
    const problems = [
      ...(directory === undefined ? [problemAt("--directory", "is required")] : []),
      ...(apiServer?.protocol === "https:" && /^\/?$/.test(apiServer.pathname)
        ? []
        : [problemAt("--api-server", "must be an https URL without a path")]),
      ...(host === undefined || isIP(host) !== 0 || /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(host)
        ? []
        : [problemAt("--host", "must be a host name in lower case, or an IP address")]),
    ];
    if (directory === undefined || apiServer === undefined || problems.length > 0) {
      throw new ConfigurationError("arguments", problems);
    }
    await writeDeploymentPki({ directory, apiServer, host });
    io.print(
      `Certificates are in ${directory}, in one folder for each process and person. Keep ${directory}/authorities private.`,
    );
    return 0;
  },
};
