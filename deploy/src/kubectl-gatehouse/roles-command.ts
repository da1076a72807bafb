import { readFile } from "node:fs/promises";
import { type Command, type CommandIo, parseArguments } from "@gatehouse/component-base/commands";
import { CommandError } from "@gatehouse/component-base/errors";
import { defineFlags, type FlagValues } from "@gatehouse/component-base/flags";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import { isJsonObject } from "@gatehouse/envelopes/json";
import type { rbacV1 } from "@gatehouse/envelopes/types";
import { AccessObserver } from "@gatehouse/policies/access-suggestion";
import { auditEvents } from "./audit-events.js";
import { documentsIn } from "./documents-in.js";
import { kubeconfigFlags, loadKubeconfigOfFlags } from "./kubeconfig-flags.js";
import { refuseFolder } from "./refuse-folder.js";
import { rolesYaml } from "./roles.js";

const flags = defineFlags({
  "from-audit": {
    type: "string",
    group: "Events",
    help: "`FILE|URL` of audit events: JSON lines as an API server or an audit sink writes them; - reads the standard input; an https address asks an audit sink, which finds the events of the user itself.",
  },
  user: {
    type: "string",
    group: "Events",
    help: "`NAME` of the user who was seen; system:serviceaccount:NAMESPACE:NAME for a service account.",
  },
  since: {
    type: "string",
    group: "Events",
    help: "With a URL: the `TIME` of the oldest event, such as 72h or 2026-01-31T00:00:00Z.",
  },
  "token-file": {
    type: "path",
    group: "Events",
    help: "With a URL: the `FILE` with the token of a reader of the sink.",
  },
  "certificate-authority": {
    type: "path",
    group: "Events",
    help: "With a URL: the `FILE` with the authority that has signed the certificate of the sink.",
  },
  name: {
    type: "string",
    group: "Roles",
    help: "`NAME` of the roles and bindings. Default: made of the name of the user.",
  },
  compare: {
    type: "string",
    group: "Roles",
    help: "`FILE|ROLE`: tells what a present role allows and nobody was seen to use. YAML, or clusterrole/NAME or role/NAMESPACE/NAME of the cluster in the kubeconfig.",
  },
  "max-names": {
    type: "int",
    min: 0,
    max: 999_999,
    group: "Roles",
    help: "More names than this of one resource become all its names. Default: 5.",
  },
  "max-namespaces": {
    type: "int",
    min: 0,
    max: 999_999,
    group: "Roles",
    help: "More namespaces than this become all namespaces. Default: 10.",
  },
  ...kubeconfigFlags,
});

const timeoutMs = 30_000;
const rbac = "/apis/rbac.authorization.k8s.io/v1";

/** `kubectl gatehouse roles --from-audit FILE --user NAME`. */
export const rolesCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "kubectl gatehouse roles",
      requiredFlags: ["--from-audit FILE|URL", "--user NAME"],
      summary: "Suggests the smallest RBAC roles that cover what a user was seen doing, as YAML to apply.",
      flags,
    };
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    io.print((await suggestRoles(line.values, io.env)).trimEnd());
    return 0;
  },
};

async function suggestRoles(values: FlagValues<typeof flags>, env: CommandIo["env"]): Promise<string> {
  const { "from-audit": from, user, since, compare, "token-file": tokenFile, "certificate-authority": caFile } = values;
  if (from === undefined || user === undefined) {
    const missing = from === undefined ? "--from-audit FILE|URL" : "--user NAME";
    throw new CommandError(`${missing} is required; kubectl gatehouse roles --help tells more`);
  }
  const present =
    compare === undefined ? undefined : { title: compare, rules: await presentRules(compare, values, env) };
  const observer = new AccessObserver(user);
  for await (const event of auditEvents({ from, user, ...optional({ since, tokenFile, caFile }) })) {
    observer.observe(event);
  }
  const seen = observer.seen();
  if (seen.events === 0) {
    throw new CommandError(`${from} holds no event of ${user}`);
  }
  return rolesYaml({
    seen,
    origin: from === "-" ? "the standard input" : from,
    name: values.name ?? nameFrom(user),
    limits: optional({ maxNames: values["max-names"], maxNamespaces: values["max-namespaces"] }),
    ...optional({ present }),
  });
}

function optional<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

/** The last word of the user's name, made a name of an object. */
function nameFrom(user: string): string {
  const name =
    user
      .toLowerCase()
      .split(":")
      .at(-1)
      ?.replaceAll(/[^a-z0-9.-]+/g, "-") ?? "";
  return `${name.replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, "") || "user"}-seen`;
}

async function presentRules(
  compare: string,
  values: FlagValues<typeof kubeconfigFlags>,
  env: CommandIo["env"],
): Promise<readonly rbacV1.PolicyRule[]> {
  const [kind = "", ...names] = compare.split("/");
  const path =
    kind === "clusterrole" && names.length === 1
      ? `${rbac}/clusterroles/${names[0]}`
      : kind === "role" && names.length === 2
        ? `${rbac}/namespaces/${names[0]}/roles/${names[1]}`
        : undefined;
  if (path === undefined) {
    await refuseFolder(compare);
    const documents = await documentsIn(compare, await readFile(compare, "utf8"));
    return documents.flatMap((document) => rulesOf(document, compare));
  }
  const config = await loadKubeconfigOfFlags(values, env);
  using client = createHttpClient({ config });
  const { status, body } = await client.requestJson({ path, signal: AbortSignal.timeout(timeoutMs), timeoutMs });
  if (status !== 200) {
    throw new CommandError(isJsonObject(body) ? String(body["message"]) : `the API server answers ${status}`);
  }
  return rulesOf(body, compare);
}

/**
 * Returns the rules of a Role or ClusterRole; none for other kinds in the same file, such as bindings. Throws
 * CommandError for malformed rules.
 */
function rulesOf(value: unknown, place: string): readonly rbacV1.PolicyRule[] {
  if (!isJsonObject(value) || (value["kind"] !== "Role" && value["kind"] !== "ClusterRole")) {
    return [];
  }
  const rules = value["rules"] ?? [];
  const areLists = (rule: object) =>
    Object.values(rule).every((list) => Array.isArray(list) && list.every((item) => typeof item === "string"));
  if (
    !Array.isArray(rules) ||
    !rules.every((rule) => isJsonObject(rule) && Array.isArray(rule["verbs"]) && areLists(rule))
  ) {
    throw new CommandError(`${place}: the rules of a role must be a list of rules with verbs`);
  }
  return rules as unknown as readonly rbacV1.PolicyRule[];
}
