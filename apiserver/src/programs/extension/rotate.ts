import { openCluster } from "@gatehouse/component-base/cluster";
import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { defineFlags } from "@gatehouse/component-base/flags";
import { problemAt } from "@gatehouse/component-base/problems";
import { rotateCertificates, serviceOfFlag } from "@gatehouse/component-base/rotation";

const program = "gatehouse-extension";
const group = "Rotation";

const flags = defineFlags({
  service: { type: "string", group, help: "`namespace/name` of the Service in front of the server." },
  secret: { type: "string", group, help: "Name of the Secret that the server serves from. Default: NAME-tls." },
  "api-services": {
    type: "stringList",
    group,
    help: "`names` of the APIServices that lead to the server: v1.shop.example.com.",
  },
  kubeconfig: { type: "path", group, help: "kubeconfig `file`. Default: KUBECONFIG; in a pod, its service account." },
});

/** The command `gatehouse-extension rotate`, which renews certificate and caBundle in an order in which no request fails. */
export const rotateCommand: Command = {
  async run(argv, io) {
    const form = {
      command: `${program} rotate`,
      summary:
        "Renews the certificate in the server's Secret when it ends within 90 days, and writes the authorities that belong to it into the APIServices. To be run once a day.",
      flags,
    };
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { values } = line;
    const service = serviceOfFlag(values.service);
    const names = values["api-services"];
    if (names.length === 0) {
      throw new ConfigurationError("flags", [problemAt("--api-services", "is required")]);
    }
    using cluster = await openCluster({ program, kubeconfigFile: values.kubeconfig, env: io.env });
    const renewed = await rotateCertificates({
      cluster,
      program,
      service,
      secret: values.secret ?? `${service.name}-tls`,
      async announce(caBundlePem) {
        const spec = { caBundle: Buffer.from(caBundlePem).toString("base64") };
        for (const name of names) {
          await cluster.apply({ apiVersion, kind, metadata: { name }, spec });
        }
      },
    });
    io.print(renewed ? "certificate renewed, APIServices changed" : "certificate is good, APIServices are right");
    return 0;
  },
};

const apiVersion = "apiregistration.k8s.io/v1";
const kind = "APIService";
