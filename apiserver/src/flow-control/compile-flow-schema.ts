import { booleanAt, integerAt, type JsonValue, listAt, textAt, textsAt } from "@gatehouse/envelopes/json";
import type { RequestInfo } from "../request/request-info.js";
import type { UserInfo } from "../request/user-info.js";

/** Reports whether a request of a user is one of a FlowSchema's. */
export type FlowMatcher = (user: UserInfo, info: RequestInfo) => boolean;

/** A FlowSchema as requests are matched with it. */
export interface FlowSchema {
  readonly name: string;
  readonly uid: string;
  readonly priorityLevel: string;
  /** Schemas with lower numbers come first, and among equals those whose names come first. */
  readonly precedence: number;
  /** The part of a request that tells one flow from another; undefined: all requests are one flow. */
  readonly distinguisher: "ByUser" | "ByNamespace" | undefined;
  readonly matches: FlowMatcher;
}

/** Reads a stored FlowSchema, of whatever version: their specs are the same. */
export function compileFlowSchema(object: JsonValue): FlowSchema {
  const method = textAt(object, "spec", "distinguisherMethod", "type");
  const rules = listAt(object, "spec", "rules").map(compileRule);
  return {
    name: textAt(object, "metadata", "name"),
    uid: textAt(object, "metadata", "uid"),
    priorityLevel: textAt(object, "spec", "priorityLevelConfiguration", "name"),
    precedence: Number(integerAt(object, "spec", "matchingPrecedence")),
    distinguisher: method === "ByUser" || method === "ByNamespace" ? method : undefined,
    matches: anyOf(rules),
  };
}

/** Orders schemas as requests are matched with them. */
export function byPrecedence(one: FlowSchema, other: FlowSchema): number {
  return one.precedence - other.precedence || (one.name < other.name ? -1 : 1);
}

function compileRule(rule: JsonValue): FlowMatcher {
  const ofSubject = anyOf(listAt(rule, "subjects").map(compileSubject));
  const ofResource = anyOf(listAt(rule, "resourceRules").map(compileResourceRule));
  const ofPath = anyOf(listAt(rule, "nonResourceRules").map(compilePathRule));
  return (user, info) => ofSubject(user, info) && (info.isResourceRequest ? ofResource : ofPath)(user, info);
}

const serviceAccountPrefix = "system:serviceaccount:";

function compileSubject(subject: JsonValue): FlowMatcher {
  switch (textAt(subject, "kind")) {
    case "User": {
      const name = textAt(subject, "user", "name");
      return (user) => name === "*" || user.username === name;
    }
    case "Group": {
      const name = textAt(subject, "group", "name");
      return (user) => name === "*" || user.groups.includes(name);
    }
    case "ServiceAccount": {
      const name = textAt(subject, "serviceAccount", "name");
      const prefix = `${serviceAccountPrefix}${textAt(subject, "serviceAccount", "namespace")}:`;
      return name === "*"
        ? ({ username }) => username.startsWith(prefix)
        : ({ username }) => username === prefix + name;
    }
    default:
      return () => false;
  }
}

function compileResourceRule(rule: JsonValue): FlowMatcher {
  const hasVerb = oneOf(textsAt(rule, "verbs"));
  const hasResource = oneOf(textsAt(rule, "resources"));
  const hasGroup = oneOf(textsAt(rule, "apiGroups"));
  const hasNamespace = oneOf(textsAt(rule, "namespaces"));
  const clusterScope = booleanAt(rule, "clusterScope");
  return (_user, { verb, group, namespace, resource, subresource }) =>
    hasVerb(verb) &&
    hasResource(subresource === "" ? resource : `${resource}/${subresource}`) &&
    hasGroup(group) &&
    (namespace === "" ? clusterScope : hasNamespace(namespace));
}

function compilePathRule(rule: JsonValue): FlowMatcher {
  const hasVerb = oneOf(textsAt(rule, "verbs"));
  const paths = textsAt(rule, "nonResourceURLs").map(compilePath);
  return (_user, { verb, path }) => hasVerb(verb) && paths.some((isPath) => isPath(path));
}

/** Compiles a path, which stands for those below it, too. */
function compilePath(wanted: string): (path: string) => boolean {
  if (wanted === "*") {
    return () => true;
  }
  const stem = wanted.endsWith("*") ? wanted.slice(0, -1) : wanted;
  const prefix = stem.endsWith("/") ? stem : `${stem}/`;
  return (path) => path === wanted || path.startsWith(prefix);
}

function oneOf(wanted: readonly string[]): (text: string) => boolean {
  return wanted.length === 1 && wanted[0] === "*" ? () => true : (text) => wanted.includes(text);
}

function anyOf(matchers: readonly FlowMatcher[]): FlowMatcher {
  const [only] = matchers;
  return matchers.length === 1 && only !== undefined
    ? only
    : (user, info) => {
        for (const matches of matchers) {
          if (matches(user, info)) {
            return true;
          }
        }
        return false;
      };
}
