import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { defineFlags } from "@gatehouse/component-base/flags";
import { openCluster } from "../../../toolkit/cluster/open-cluster.js";
import { takeBackRegistration } from "../registration/registered.js";

const group = "Registration";

const flags = defineFlags({
  name: {
    type: "string",
    default: "gatehouse-admission",
    group,
    help: "Name of the configuration `objects`. Those of `dev` are called gatehouse-admission-dev.",
  },
  kubeconfig: { type: "path", group, help: "kubeconfig `file`. Default: KUBECONFIG." },
});

/**
 * The command `gatehouse-admission unregister`, which removes the objects that `register --apply`, or a killed `dev`,
 * has left in a cluster.
 */
export const unregisterCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse-admission unregister",
      summary:
        "Takes a registration back: removes its webhook configurations, and has definitions of custom resources convert nothing any more. What others have made is left alone.",
      flags,
    };
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { name, kubeconfig } = line.values;
    using cluster = await openCluster({ kubeconfigFile: kubeconfig, env: io.env });
    const taken = await takeBackRegistration(cluster, name);
    for (const object of taken) {
      io.print(`${object} taken back`);
    }
    if (taken.length === 0) {
      io.print(`nothing is registered as ${name}`);
    }
    return 0;
  },
};
