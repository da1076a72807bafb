import { parseArgs } from "node:util";
import { createHttpClient, type HttpCaller, loadKubeconfig } from "@gatehouse/component-base";
import type { RequestedAccess } from "@gatehouse/policies";
import { kubeconfigPath, type PluginCommand, PluginError } from "./plugin-command.js";
import { resolveResource } from "./resolve-resource.js";
import { askForAccess, readRules, whoAmI } from "./why-questions.js";
import { whyText } from "./why-text.js";

const usage = `Tells which rule of which binding allows something, or what came closest when nothing does.

Usage: kubectl gatehouse why VERB RESOURCE[.GROUP][/SUBRESOURCE] [NAME] [flags]
       kubectl gatehouse why VERB /PATH [flags]

  --user NAME          Whom it is about; whoever asks by default. Needs the right to make SubjectAccessReviews.
  --group NAME         A group of that user; may be given more than once.
  -n, --namespace NAME
  -A, --all-namespaces At the scope of the cluster.
  --kubeconfig FILE, --context NAME

It ends with 0 when it is allowed and with 1 when it is not. The rules are read from the roles and bindings that whoever
asks may list.
`;

/** `kubectl gatehouse why VERB RESOURCE`. */
export const whyCommand: PluginCommand = { usage, run };

async function run(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      user: { type: "string" },
      group: { type: "string", multiple: true },
      namespace: { type: "string", short: "n" },
      "all-namespaces": { type: "boolean", short: "A" },
      context: { type: "string" },
      kubeconfig: { type: "string" },
    },
  });
  const [verb, what, name = "", ...others] = positionals;
  if (verb === undefined || what === undefined || others.length > 0) {
    const problem = what === undefined ? "VERB and RESOURCE are required" : `unexpected argument: ${others.join(" ")}`;
    throw new PluginError(`${problem}; kubectl gatehouse why --help tells more`);
  }
  if (values.user === undefined && values.group !== undefined) {
    throw new PluginError("--group needs --user");
  }
  const { context } = values;
  const config = await loadKubeconfig(kubeconfigPath(values.kubeconfig), context === undefined ? {} : { context });
  using client = createHttpClient({ config });
  const namespace = values["all-namespaces"] === true ? "" : (values.namespace ?? config.namespace ?? "default");
  const access = await accessOf(client, { verb, what, name, namespace });
  const isSelf = values.user === undefined;
  const user = isSelf ? await whoAmI(client) : { username: values.user ?? "", groups: values.group ?? [] };
  const [verdict, index] = await Promise.all([
    askForAccess(client, access, isSelf ? undefined : user),
    readRules(client, access.namespace),
  ]);
  process.stdout.write(whyText({ user, access, verdict, index }));
  return verdict.isAllowed ? 0 : 1;
}

async function accessOf(
  client: HttpCaller,
  asked: { readonly verb: string; readonly what: string; readonly name: string; readonly namespace: string },
): Promise<RequestedAccess> {
  const { verb, what, name, namespace } = asked;
  if (what.startsWith("/")) {
    const none = { group: "", resource: "", subresource: "", namespace: "", name: "" };
    return { isResourceRequest: false, verb, path: what, ...none };
  }
  const slash = what.indexOf("/");
  const named = slash < 0 ? what : what.slice(0, slash);
  const { group, resource, isNamespaced } = await resolveResource(client, named);
  return {
    isResourceRequest: true,
    verb,
    path: "",
    group,
    resource,
    subresource: slash < 0 ? "" : what.slice(slash + 1),
    namespace: isNamespaced ? namespace : "",
    name,
  };
}
