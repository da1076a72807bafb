import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { createHttpClient, loadKubeconfig } from "@gatehouse/component-base";
import { isJsonObject, type rbacV1 } from "@gatehouse/envelopes";
import { AccessObserver } from "@gatehouse/policies";
import { auditEvents } from "./audit-events.js";
import { documentsIn } from "./documents-in.js";
import { kubeconfigPath, type PluginCommand, PluginError } from "./plugin-command.js";
import { rolesYaml } from "./roles.js";

const usage = `Suggests the smallest RBAC roles that cover what a user was seen doing, as YAML to apply.

Usage: kubectl gatehouse roles --from-audit FILE|URL --user NAME [flags]

  --from-audit FILE|URL   JSON lines as an API server or an audit sink writes them; - reads the standard input;
                          an https address asks an audit sink, which finds the events of the user itself.
  --user NAME             Whose. system:serviceaccount:NAMESPACE:NAME for a service account.
  --name NAME             Of the roles and bindings. Made of the user's name by default.
  --since TIME            With a URL: not older than this, such as 72h or 2026-01-31T00:00:00Z.
  --token-file FILE       With a URL: the token of a reader of the sink.
  --certificate-authority FILE
                          With a URL: who has signed the sink's certificate.
  --compare FILE|ROLE     Tells what a present role allows but nobody was seen to use: YAML, or clusterrole/NAME or
                          role/NAMESPACE/NAME of the cluster in the kubeconfig.
  --max-names N           More names than this of one resource: all its names. Default 5.
  --max-namespaces N      More namespaces than this: all of them. Default 10.
  --kubeconfig FILE, --context NAME
                          For --compare.
`;

const timeoutMs = 30_000;
const rbac = "/apis/rbac.authorization.k8s.io/v1";

/** `kubectl gatehouse roles --from-audit FILE --user NAME`. */
export const rolesCommand: PluginCommand = { usage, run };

async function run(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      "from-audit": { type: "string" },
      user: { type: "string" },
      name: { type: "string" },
      since: { type: "string" },
      "token-file": { type: "string" },
      "certificate-authority": { type: "string" },
      compare: { type: "string" },
      "max-names": { type: "string" },
      "max-namespaces": { type: "string" },
      kubeconfig: { type: "string" },
      context: { type: "string" },
    },
  });
  const { "from-audit": from, user, since, compare, "token-file": tokenFile, "certificate-authority": caFile } = values;
  if (from === undefined || user === undefined) {
    const missing = from === undefined ? "--from-audit FILE|URL" : "--user NAME";
    throw new PluginError(`${missing} is required; kubectl gatehouse roles --help tells more`);
  }
  const limits = {
    ...countOf("max-names", values["max-names"], "maxNames"),
    ...countOf("max-namespaces", values["max-namespaces"], "maxNamespaces"),
  };
  const present = compare === undefined ? undefined : { title: compare, rules: await presentRules(compare, values) };
  const observer = new AccessObserver(user);
  const source = { from, user, ...optional({ since, tokenFile, caFile }) };
  for await (const event of auditEvents(source)) {
    observer.observe(event);
  }
  const seen = observer.seen();
  if (seen.events === 0) {
    throw new PluginError(`${from} holds no event of ${user}`);
  }
  const name = values.name ?? nameFrom(user);
  const origin = from === "-" ? "the standard input" : from;
  process.stdout.write(rolesYaml({ seen, origin, name, limits, ...optional({ present }) }));
  return 0;
}

function optional<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

function countOf<N extends string>(flag: string, text: string | undefined, name: N): { [K in N]?: number } {
  if (text === undefined) {
    return {};
  }
  if (!/^\d{1,6}$/.test(text)) {
    throw new PluginError(`--${flag} must be a whole number, and it is ${JSON.stringify(text)}`);
  }
  return { [name]: Number(text) } as { [K in N]: number };
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
  { kubeconfig, context }: { readonly kubeconfig?: string | undefined; readonly context?: string | undefined },
): Promise<readonly rbacV1.PolicyRule[]> {
  const [kind = "", ...names] = compare.split("/");
  const path =
    kind === "clusterrole" && names.length === 1
      ? `${rbac}/clusterroles/${names[0]}`
      : kind === "role" && names.length === 2
        ? `${rbac}/namespaces/${names[0]}/roles/${names[1]}`
        : undefined;
  if (path === undefined) {
    const documents = await documentsIn(compare, await readFile(compare, "utf8"));
    return documents.flatMap((document) => rulesOf(document, compare));
  }
  const config = await loadKubeconfig(kubeconfigPath(kubeconfig), context === undefined ? {} : { context });
  using client = createHttpClient({ config });
  const { status, body } = await client.requestJson({ path, signal: AbortSignal.timeout(timeoutMs), timeoutMs });
  if (status !== 200) {
    throw new PluginError(isJsonObject(body) ? String(body["message"]) : `the API server answers ${status}`);
  }
  return rulesOf(body, compare);
}

/** Other kinds in the same file, such as bindings, say nothing here. */
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
    throw new PluginError(`${place}: the rules of a role must be a list of rules with verbs`);
  }
  return rules as unknown as readonly rbacV1.PolicyRule[];
}
