import { readFile } from "node:fs/promises";
import { ConfigurationError } from "../errors.js";
import { defineFlags, type FlagValues } from "../flags/index.js";
import { type CertificatePem, type ClientConfig, loadKubeconfig } from "../kubeconfig/index.js";
import { type Problem, problemAt } from "../problems/index.js";

const kubeconfigVariable = "GATEHOUSE_AUDIT_KUBECONFIG";
const group = "Sink";

/** Flags that say which sink is asked, and how to prove who asks. */
export const sinkFlags = defineFlags({
  kubeconfig: {
    type: "path",
    group,
    help: `\`file\` in the format of kubeconfig that names the sink and how to prove who asks; by default what ${kubeconfigVariable} names.`,
  },
  server: {
    type: "string",
    group,
    help: "`address` of the sink, such as https://localhost:8447, instead of --kubeconfig.",
  },
  "token-file": { type: "path", group, help: "`file` with the token of a reader." },
  "certificate-authority": { type: "path", group, help: "`file` with the authorities of the sink's certificate." },
  "client-certificate": { type: "path", group, help: "`file` with the client certificate of a reader." },
  "client-key": { type: "path", group, help: "`file` with its private key." },
});

/** Flags that bound the time. */
export const periodFlags = defineFlags({
  from: { type: "string", group: "Filter", help: "`time` of the oldest event, or how long ago that was: 90m, 7d." },
  to: { type: "string", group: "Filter", help: "`time` after the latest event, or how long ago that was." },
});

/** The environment of a program that asks a sink. */
type SinkEnvironment = Readonly<Record<string, string | undefined>>;

/** The values of the flags of a sink. `serverFlag` is the name of the flag with its address, `--server` by default. */
export type SinkFlagValues = FlagValues<typeof sinkFlags> & { readonly serverFlag?: string };

/** Reports whether a kubeconfig names the sink, so that no address need be given. */
export function isSinkNamed({ kubeconfig }: Pick<SinkFlagValues, "kubeconfig">, env: SinkEnvironment): boolean {
  return (kubeconfig ?? env[kubeconfigVariable] ?? "") !== "";
}

/** The sink that is asked. Throws ConfigurationError when it is not named, or a file cannot be read. */
export async function sinkConfigOf(values: SinkFlagValues, env: SinkEnvironment): Promise<ClientConfig> {
  const { serverFlag = "--server" } = values;
  const { server, kubeconfig = env[kubeconfigVariable] } = values;
  if (server === undefined) {
    if (kubeconfig === undefined || kubeconfig === "") {
      throw new ConfigurationError("flags", [
        problemAt(serverFlag, `is required where neither --kubeconfig nor ${kubeconfigVariable} names a file`),
      ]);
    }
    return loadKubeconfig(kubeconfig);
  }
  const problems: Problem[] = [];
  if (values.kubeconfig !== undefined) {
    problems.push(problemAt("--kubeconfig", `cannot be given together with ${serverFlag}`));
  }
  const address = URL.canParse(server) ? new URL(server) : undefined;
  if (address?.protocol !== "https:") {
    problems.push(
      problemAt(serverFlag, `must be an address such as https://localhost:8447, and is ${JSON.stringify(server)}`),
    );
  }
  const read = async (flag: "certificate-authority" | "client-certificate" | "client-key" | "token-file") => {
    const file = values[flag];
    return file === undefined
      ? undefined
      : readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
          problems.push(problemAt(`--${flag}`, `${file} cannot be read (${error.code})`));
          return undefined;
        });
  };
  const certificateAuthorityPem = await read("certificate-authority");
  const certificatePem = await read("client-certificate");
  const keyPem = await read("client-key");
  await read("token-file");
  if ((certificatePem === undefined) !== (keyPem === undefined)) {
    problems.push(problemAt("--client-certificate", "and --client-key must be given together"));
  }
  if (address === undefined || problems.length > 0) {
    throw new ConfigurationError("flags", problems);
  }
  const clientCertificate: CertificatePem | undefined =
    certificatePem === undefined || keyPem === undefined ? undefined : { certificatePem, keyPem };
  const path = values["token-file"];
  return {
    server: address,
    insecureSkipTlsVerify: false,
    ...(certificateAuthorityPem === undefined ? {} : { certificateAuthorityPem }),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    ...(path === undefined ? {} : { authorization: { kind: "tokenFile", path } }),
  };
}
