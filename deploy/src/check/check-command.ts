import type { Command, CommandIo } from "@gatehouse/component-base/commands";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { defineFlags, type FlagValues } from "@gatehouse/component-base/flags";
import { describeObject, type Inputs, manifestCheckCommand } from "@gatehouse/component-base/manifest-check";
import { type ManifestReport, readObjectsOf } from "@gatehouse/component-base/manifests";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import type { Hook } from "@gatehouse/webhooks";
import { checkManifests, type RefusedDocument } from "./check-manifests.js";

const inForce = "In force";
const verdicts = "Verdicts";
const server = "Server";

/** The release whose rules the server has. */
const release = "1.29";

const flags = defineFlags({
  with: {
    type: "stringList",
    group: inForce,
    help: "`files` or folders that are in force and not checked themselves: definitions, policies, namespaces, quotas.",
  },
  against: {
    type: "path",
    group: inForce,
    help: "kubeconfig `file` of a cluster whose definitions, namespaces, classes, limits and policies are in force. Nothing is written there.",
  },
  context: { type: "string", group: inForce, help: "Context of that kubeconfig." },
  hooks: {
    type: "stringList",
    group: inForce,
    help: "JavaScript `files` that export `hooks`, as gatehouse-admission serves them.",
  },
  "hooks-config": {
    type: "path",
    group: inForce,
    help: "`file` of kind AdmissionServerConfiguration: which hooks there are and how strict they are.",
  },
  namespace: {
    type: "string",
    shorthand: "n",
    default: "default",
    group: verdicts,
    help: "Namespace of objects that name none.",
  },
  "strict-namespaces": {
    type: "bool",
    group: verdicts,
    help: "Refuse objects in namespaces that nothing makes, as a cluster does. By default the check makes them and says so.",
  },
  "ignore-missing-kinds": {
    type: "bool",
    group: verdicts,
    help: "Skip documents of kinds that neither the server nor a definition has.",
  },
  "keep-order": {
    type: "bool",
    group: verdicts,
    help: "Create the documents in the order in which they are given, as kubectl apply does, and not policies, namespaces and definitions first.",
  },
  "kubernetes-version": {
    type: "string",
    default: release,
    group: server,
    help: `Release of the server. Only ${release}.`,
  },
  "enable-admission-plugins": {
    type: "stringList",
    group: server,
    help: "`names` of admission plugins to run besides those that run by default.",
  },
  "disable-admission-plugins": {
    type: "stringList",
    group: server,
    help: "`names` of admission plugins not to run although they run by default.",
  },
  "admission-control-config-file": {
    type: "path",
    group: server,
    help: "`file` with the configuration of admission plugins, such as the defaults of Pod Security.",
  },
  "feature-gates": { type: "stringList", group: server, help: "Features to turn on or off: `Name=true|false`." },
  "runtime-config": {
    type: "stringList",
    group: server,
    help: "API versions to turn on or off: `batch/v1=false`. ValidatingAdmissionPolicies are on.",
  },
});

type Values = FlagValues<typeof flags>;

/** `gatehouse check PATH...`: what an API server says of manifests, without a cluster. */
export const checkCommand: Command = manifestCheckCommand({
  command: "gatehouse check",
  summary:
    "Tells what an API server would say of manifests: files, folders, and - for standard input. It starts a server in its own process and creates the objects there.",
  flags,
  problemsOf,
  async loadJudge(values, io) {
    const hooks = await loadHooks(values, io);
    return async (inputs) => await judge(inputs, values, hooks, io);
  },
});

function problemsOf(values: Values): readonly Problem[] {
  const version = values["kubernetes-version"];
  const text = `there are the rules of Kubernetes ${release} only, not those of ${version}`;
  return [
    ...(/^v?1\.29(?:\.\d+)?$/.test(version) ? [] : [problemAt("--kubernetes-version", text)]),
    ...(values.context !== undefined && values.against === undefined
      ? [problemAt("--context", "is for --against, which is not given")]
      : []),
  ];
}

async function judge(inputs: Inputs, values: Values, hooks: readonly Hook[], io: CommandIo): Promise<ManifestReport> {
  const [given, cluster] = await Promise.all([
    readObjectsOf(values.with),
    values.against === undefined
      ? undefined
      : import("./read-cluster.js").then(({ readCluster }) => readCluster(values.against ?? "", values.context)),
  ]);
  const { report, refused } = await checkManifests(inputs, [...(cluster?.documents ?? []), ...given], {
    hooks,
    namespace: values.namespace,
    strictNamespaces: values["strict-namespaces"],
    keepsOrder: values["keep-order"],
    ignoresMissingKinds: values["ignore-missing-kinds"],
    serverFlags: serverFlagsOf(values),
    writeLog: (line) => io.printError(line.trimEnd()),
  });
  refuseFaulty(refused.filter(({ source }) => given.includes(source)));
  for (const { source, message } of refused.filter((each) => !given.includes(each.source))) {
    io.printError(`not in force here: ${describeObject(source.content)} of the cluster: ${message}`);
  }
  for (const webhook of cluster?.webhooks ?? []) {
    io.printError(`not asked: ${webhook} of the cluster`);
  }
  return report;
}

async function loadHooks(values: Values, io: CommandIo): Promise<readonly Hook[]> {
  const { hooks: modules, "hooks-config": configFile } = values;
  if (modules.length === 0 && configFile === undefined) {
    return [];
  }
  const { expiredText, loadHooks: load } = await import("@gatehouse/webhooks/config");
  const { hooks, expired } = await load({ configFile, modules });
  for (const exception of expired) {
    io.printError(expiredText(configFile, exception));
  }
  return hooks;
}

function serverFlagsOf(values: Values): readonly string[] {
  const configFile = values["admission-control-config-file"];
  const versions = ["v1alpha1", "v1beta1"].map((version) => `admissionregistration.k8s.io/${version}=true`);
  return [
    `--feature-gates=${["ValidatingAdmissionPolicy=true", ...values["feature-gates"]].join(",")}`,
    `--runtime-config=${[...versions, ...values["runtime-config"]].join(",")}`,
    `--enable-admission-plugins=${values["enable-admission-plugins"].join(",")}`,
    `--disable-admission-plugins=${values["disable-admission-plugins"].join(",")}`,
    ...(configFile === undefined ? [] : [`--admission-control-config-file=${configFile}`]),
  ];
}

/** Refuses documents of `--with` that the server does not take: every verdict would be without them. */
function refuseFaulty(refused: readonly RefusedDocument[]): void {
  if (refused.length > 0) {
    throw new ConfigurationError(
      "--with",
      refused.map(({ source, message }) => problemAt(`${source.file}:${source.line}`, message)),
    );
  }
}
