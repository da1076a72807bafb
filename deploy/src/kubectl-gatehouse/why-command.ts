import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { CommandError } from "@gatehouse/component-base/errors";
import { defineFlags } from "@gatehouse/component-base/flags";
import { createHttpClient, type HttpCaller } from "@gatehouse/component-base/http-client";
import type { RequestedAccess } from "@gatehouse/policies/access";
import { kubeconfigFlags, loadKubeconfigOfFlags } from "./kubeconfig-flags.js";
import { resolveResource } from "./resolve-resource.js";
import { askForAccess, readRules, whoAmI } from "./why-questions.js";
import { whyText } from "./why-text.js";

const flags = defineFlags({
  user: {
    type: "string",
    group: "Request",
    help: "The user `NAME` of the request. Default: whoever asks. Needs the right to create SubjectAccessReviews.",
  },
  group: {
    type: "stringList",
    keepCommas: true,
    group: "Request",
    help: "A group `NAME` of that user; may be given more than once.",
  },
  namespace: { type: "string", shorthand: "n", group: "Request", help: "The namespace of the request." },
  "all-namespaces": { type: "bool", shorthand: "A", group: "Request", help: "Ask at the scope of the cluster." },
  ...kubeconfigFlags,
});

/** `kubectl gatehouse why VERB RESOURCE`: exit code 0 when the request is allowed, 1 when it is not. */
export const whyCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "kubectl gatehouse why",
      operands: ["VERB", "RESOURCE[.GROUP][/SUBRESOURCE]|/PATH", "[NAME]"],
      summary:
        "Tells which rule of which binding allows something, or what came closest when nothing does. Ends with 0 when it is allowed and with 1 when it is not. The rules are read from the roles and bindings that whoever asks may list.",
      flags,
    };
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { values } = line;
    const [verb = "", what = "", name = ""] = line.operands;
    if (values.user === undefined && values.group.length > 0) {
      throw new CommandError("--group needs --user");
    }
    const config = await loadKubeconfigOfFlags(values, io.env);
    using client = createHttpClient({ config });
    const namespace = values["all-namespaces"] ? "" : (values.namespace ?? config.namespace ?? "default");
    const access = await accessOf(client, { verb, what, name, namespace });
    const isSelf = values.user === undefined;
    const user = isSelf ? await whoAmI(client) : { username: values.user ?? "", groups: values.group };
    const [verdict, index] = await Promise.all([
      askForAccess(client, access, isSelf ? undefined : user),
      readRules(client, access.namespace),
    ]);
    io.print(whyText({ user, access, verdict, index }).trimEnd());
    return verdict.isAllowed ? 0 : 1;
  },
};

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
