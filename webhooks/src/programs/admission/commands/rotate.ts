import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { defineFlags } from "@gatehouse/component-base/flags";
import { ConfigurationError, problemAt } from "@gatehouse/component-base/problems";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { openCluster } from "../../../toolkit/cluster/open-cluster.js";
import { webhookConfigurations } from "../../../toolkit/registration/webhook-configurations.js";
import { type HookCertificates, renewCertificates } from "../build/renew-certificates.js";
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
    const [namespace = "", service = ""] = values.service?.split("/") ?? [];
    if (namespace === "" || service === "") {
      const problem = values.service === undefined ? "is required" : "must have the form namespace/name";
      throw new ConfigurationError("flags", [problemAt("--service", problem)]);
    }
    const { hooks, converters } = await loadHooksOfFlags(values);
    using cluster = await openCluster({ kubeconfigFile: values.kubeconfig, env: io.env });
    const stored = storedIn(await cluster.get("v1", "Secret", { namespace, name: values.secret }));
    const dnsNames = [`${service}.${namespace}.svc`, `${service}.${namespace}.svc.cluster.local`];
    const { certificates, renewed } = await renewCertificates(stored, dnsNames, Date.now());
    const options = {
      name: values.name,
      location: { service: { namespace, name: service } },
      caBundlePem: certificates.caBundlePem,
      ownNamespace: namespace,
    };
    // First servers learn to believe the new authority beside the old one, then the hooks serve its certificate.
    await applyRegistration(cluster, values.name, [
      ...webhookConfigurations({ ...options, hooks }),
      ...conversionRegistrations({ ...options, converters }),
    ] as unknown as JsonObject[]);
    if (renewed) {
      await cluster.apply(secretOf(certificates, namespace, values.secret));
    }
    io.print(renewed ? "certificates renewed, hooks registered" : "certificates are good, hooks registered");
    return 0;
  },
};

function storedIn(secret: JsonObject | undefined): HookCertificates | undefined {
  const data = secret?.["data"];
  if (!isJsonObject(data)) {
    return undefined;
  }
  const text = (key: string): string => Buffer.from(String(data[key] ?? ""), "base64").toString();
  return { caBundlePem: text("ca.crt"), certificatePem: text("tls.crt"), keyPem: text("tls.key") };
}

function secretOf(certificates: HookCertificates, namespace: string, name: string): JsonObject {
  const { caBundlePem, certificatePem, keyPem } = certificates;
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace },
    type: "kubernetes.io/tls",
    data: { "ca.crt": base64(caBundlePem), "tls.crt": base64(certificatePem), "tls.key": base64(keyPem) },
  };
}
