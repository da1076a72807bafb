import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { defineFlags } from "@gatehouse/component-base/flags";
import { rotateCertificates, serviceOfFlag } from "@gatehouse/component-base/rotation";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { openCluster } from "../../../toolkit/cluster/open-cluster.js";
import { webhookConfigurations } from "../../../toolkit/registration/webhook-configurations.js";
import { conversionRegistrations } from "../registration/conversion-registrations.js";
import { applyRegistration } from "../registration/registered.js";
import { hookFlags, loadHooksOfFlags } from "./hook-flags.js";

const group = "Rotation";

const flags = defineFlags({
  ...hookFlags,
  service: { type: "string", group, help: "`namespace/name` of the Service in front of the hooks." },
  secret: {
    type: "string",
    default: "gatehouse-admission-tls",
    group,
    help: "Name of the Secret that the hooks serve from.",
  },
  name: { type: "string", default: "gatehouse-admission", group, help: "Name of the configuration `objects`." },
  kubeconfig: { type: "path", group, help: "kubeconfig `file`. Default: KUBECONFIG; in a pod, its service account." },
});

/**
 * The command `gatehouse-admission rotate`, which renews certificate and caBundle together, in an order in which no
 * call fails.
 */
export const rotateCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse-admission rotate",
      summary:
        "Renews the certificates in the hooks' Secret when they end within 90 days, and registers the hooks with the authorities that belong to them. To be run once a day.",
      flags,
    };
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { values } = line;
    const service = serviceOfFlag(values.service);
    const { hooks, converters } = await loadHooksOfFlags(values);
    using cluster = await openCluster({ kubeconfigFile: values.kubeconfig, env: io.env });
    const renewed = await rotateCertificates({
      cluster,
      program: "gatehouse-admission",
      service,
      secret: values.secret,
      async announce(caBundlePem) {
        const options = { name: values.name, location: { service }, caBundlePem, ownNamespace: service.namespace };
        await applyRegistration(cluster, values.name, [
          ...webhookConfigurations({ ...options, hooks }),
          ...conversionRegistrations({ ...options, converters }),
        ] as unknown as JsonObject[]);
      },
    });
    io.print(renewed ? "certificates renewed, hooks registered" : "certificates are good, hooks registered");
    return 0;
  },
};
