import { readFile } from "node:fs/promises";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { defineFlags, type FlagValues } from "@gatehouse/component-base/flags";
import { type CertificatePem, type ClientConfig, loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { type EventField, eventFields } from "../index-store/event-fields.js";
import { eventFormats } from "./event-lines.js";

const kubeconfigVariable = "GATEHOUSE_AUDIT_KUBECONFIG";
const group = "Sink";

const output = { type: "string", default: "table", shorthand: "o", group: "Output" } as const;

/** Flag for the format in which events are printed. */
export const eventOutputFlags = defineFlags({
  output: {
    ...output,
    choices: eventFormats,
    help: "`format`: table; json, one document a line with position and sender; events, one event a line as it was sent.",
  },
});

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

/** Flags that say which events are meant. */
export const filterFlags = defineFlags({
  user: fieldFlag(
    "`name` of who has made the request. As with each filter: system:* is a beginning, !jane is anything else, and of several values one must fit.",
  ),
  "impersonated-user": fieldFlag("`name` of the user as whom the request was made."),
  verb: fieldFlag("`verb`, such as create."),
  resource: fieldFlag("`resource`, such as deployments.apps or pods/log."),
  namespace: fieldFlag("`namespace` of the object."),
  name: fieldFlag("`name` of the object."),
  code: fieldFlag("`status` code of the answer, such as 403 or 5*."),
  decision: fieldFlag("`decision` of the authorizer: allow or forbid."),
  stage: fieldFlag("`stage`, such as ResponseComplete."),
  level: fieldFlag("`level`, such as Metadata."),
  "source-ip": fieldFlag("`address` of the client."),
  sender: fieldFlag("`name` of who has sent the event to the sink."),
  "audit-id": { type: "string", group: "Filter", help: "`id` of the request." },
});

/** Flags that bound the time. */
const periodFlags = defineFlags({
  from: { type: "string", group: "Filter", help: "`time` of the oldest event, or how long ago that was: 90m, 7d." },
  to: { type: "string", group: "Filter", help: "`time` after the latest event, or how long ago that was." },
});

function fieldFlag(help: string) {
  return { type: "stringList", keepCommas: true, group: "Filter", help } as const;
}

/** Flags of every question about kept events. */
export const questionFlags = defineFlags({ ...filterFlags, ...periodFlags, ...sinkFlags });

/** Flags of every question whose answer is a summary of kept events. */
export const summaryFlags = defineFlags({
  output: { ...output, choices: ["table", "json"], help: "`format`: table or json." },
  ...questionFlags,
});

/** Names of flags that differ from their field. */
const flagOf: Readonly<Partial<Record<EventField, "impersonated-user" | "source-ip">>> = {
  impersonatedUser: "impersonated-user",
  sourceIP: "source-ip",
};

/** The parameters of a question. */
export function queryOf(
  values: FlagValues<typeof filterFlags> & Partial<FlagValues<typeof periodFlags>>,
): URLSearchParams {
  const query = new URLSearchParams();
  for (const field of eventFields) {
    const flag = flagOf[field] ?? (field as Exclude<EventField, keyof typeof flagOf>);
    for (const value of values[flag as keyof FlagValues<typeof filterFlags>] ?? []) {
      query.append(field, value);
    }
  }
  for (const [name, value] of Object.entries({ auditID: values["audit-id"], from: values.from, to: values.to })) {
    if (value !== undefined) {
      query.set(name, value);
    }
  }
  return query;
}

/** The sink that is asked. Throws ConfigurationError when it is not named, or a file cannot be read. */
export async function sinkConfigOf(
  values: FlagValues<typeof sinkFlags>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ClientConfig> {
  const { server, kubeconfig = env[kubeconfigVariable] } = values;
  if (server === undefined) {
    if (kubeconfig === undefined || kubeconfig === "") {
      throw new ConfigurationError("flags", [
        problemAt("--server", `is required where neither --kubeconfig nor ${kubeconfigVariable} names a file`),
      ]);
    }
    return loadKubeconfig(kubeconfig);
  }
  const problems: Problem[] = [];
  if (values.kubeconfig !== undefined) {
    problems.push(problemAt("--kubeconfig", "cannot be given together with --server"));
  }
  const address = URL.canParse(server) ? new URL(server) : undefined;
  if (address?.protocol !== "https:") {
    problems.push(
      problemAt("--server", `must be an address such as https://localhost:8447, and is ${JSON.stringify(server)}`),
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
