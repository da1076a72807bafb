import { goQuote } from "@gatehouse/envelopes/go";
import type { AccessUser, RequestedAccess } from "@gatehouse/policies/access";
import { closestRules, nearRuleText, type RbacIndex, ruleText } from "@gatehouse/policies/rbac";
import type { AccessVerdict } from "./why-questions.js";

/** An access, its verdict and the rules that explain it. */
export interface WhyParts {
  readonly user: AccessUser;
  readonly access: RequestedAccess;
  readonly verdict: AccessVerdict;
  /** Index of the roles and bindings; undefined when they could not be read. */
  readonly index: RbacIndex | undefined;
}

/** Number of non-matching rules to show, the closest ones. */
const shown = 5;

/** The verdict, and which rule is behind it or which came closest. */
export function whyText(parts: WhyParts): string {
  const { user, access, verdict } = parts;
  const may = verdict.isAllowed ? "allowed" : "denied";
  const can = verdict.isAllowed ? "can" : "cannot";
  return `${[`${may}: ${goQuote(user.username)} ${can} ${accessText(access)}`, ...detailsOf(parts)].join("\n")}\n`;
}

function accessText({
  isResourceRequest,
  verb,
  path,
  group,
  resource,
  subresource,
  namespace,
  name,
}: RequestedAccess): string {
  if (!isResourceRequest) {
    return `${verb} path ${goQuote(path)}`;
  }
  const what = `${resource}${group === "" ? "" : `.${group}`}${subresource === "" ? "" : `/${subresource}`}`;
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${goQuote(namespace)}`;
  return `${verb} ${what}${name === "" ? "" : ` ${goQuote(name)}`} ${where}`;
}

function detailsOf({ user, access, verdict, index }: WhyParts): readonly string[] {
  const said = verdict.reason === "" ? [] : [`  the server says: ${verdict.reason}`];
  if (index === undefined) {
    return [...said, "  Rules are not shown: you may not list roles and bindings."];
  }
  const ours = index.decide(user, access);
  if (verdict.isAllowed) {
    return ours.allowed
      ? [`  ${ours.grant.binding.describe(user)}: rule ${ruleText(ours.grant.rule)}`]
      : [...said, "  No rule of RBAC allows it: another authorizer does, or the group system:masters."];
  }
  const near = closestRules(index, user, access, { limit: shown });
  const bindings = index.bindingsFor(user, access.namespace).size;
  return [
    ...said,
    ...(near.length > 0
      ? ["What came closest:", ...near.map((rule) => `  ${nearRuleText(rule)}`)]
      : [
          bindings === 0 ? "  No binding names this user." : `  None of ${bindings} bindings of this user is about it.`,
        ]),
  ];
}
