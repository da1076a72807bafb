// Configurations of webhooks drawn for one resource: rules, selectors, conditions and policies.
import { kinds, versionsOf } from "./kinds.mjs";

/** Labels of objects that selectors ask for. */
export const tiers = ["web", "db"];
const others = ["configmaps", "pods", "deployments"];
const weighted = (r, usual, rare, chance = 0.2) => (r.chance(chance) ? r.pick(rare) : usual);

/**
 * Draws the webhooks of a case, `{ name, type, isOdd, body }`: `isOdd` where a call fails whatever is answered. Names of mutating ones
 * begin with m, those of validating ones with v. A case is `{ key, resource, user }`.
 */
export function drawWebhooks(r, subject) {
  const drawn = [];
  const mutating = r.pick([0, 1, 1, 2, 3]);
  const validating = mutating === 0 ? 1 + r.int(3) : r.pick([0, 1, 1, 2]);
  for (let i = 0; i < mutating; i++) drawn.push(drawWebhook(r, subject, "Mutating", `m${i}`));
  for (let i = 0; i < validating; i++) drawn.push(drawWebhook(r, subject, "Validating", `v${i}`));
  return drawn;
}

/** Returns the requests that create the configurations of webhooks: those of one type in one or two configurations. */
export function configurationsOf(r, { key }, webhooks) {
  return ["Mutating", "Validating"].flatMap((type) => {
    const own = webhooks.filter((webhook) => webhook.type === type);
    const split = r.chance(0.3) ? 1 : own.length;
    return [own.slice(0, split), own.slice(split)]
      .filter((part) => part.length > 0)
      .map((part, index) => ({
        path: `/apis/admissionregistration.k8s.io/v1/${type.toLowerCase()}webhookconfigurations`,
        name: `${key}-${index}`,
        body: {
          apiVersion: "admissionregistration.k8s.io/v1",
          kind: `${type}WebhookConfiguration`,
          metadata: { name: `${key}-${index}` },
          webhooks: part.map(({ body }) => body),
        },
      }));
  });
}

function drawWebhook(r, subject, type, name) {
  const { key } = subject;
  const versions = weighted(r, ["v1"], [["v1beta1"], ["v1", "v1beta1"], ["v1beta1", "v1"], ["v7", "v1"], ["v9"]], 0.35);
  // v1.29 refuses a webhook that knows neither version.
  const reviewed = versions[0] === "v9" ? ["v9", "v1beta1"] : versions;
  const path = weighted(r, `/${key}/${name}`, oddPaths(key, name));
  const isDead = r.chance(0.02);
  const conditions = drawConditions(r, subject);
  const body = {
    name: `${name}.${key}.example.com`,
    admissionReviewVersions: reviewed,
    sideEffects: r.pick(["None", "NoneOnDryRun"]),
    clientConfig: { url: isDead ? "https://127.0.0.1:1/dead" : `{{HOOK}}${path}`, caBundle: "{{CA}}" },
    rules: Array.from({ length: weighted(r, 1, [2, 3]) }, () => drawRule(r, subject)),
    ...selectorsOf(r, subject),
    ...(conditions.length > 0 && { matchConditions: conditions }),
    ...(r.chance(0.5) && { failurePolicy: r.pick(["Fail", "Ignore"]) }),
    ...(r.chance(0.5) && { matchPolicy: r.pick(["Exact", "Equivalent"]) }),
    ...(type === "Mutating" && r.chance(0.5) && { reinvocationPolicy: r.pick(["Never", "IfNeeded"]) }),
    timeoutSeconds: r.pick([1, 5, 10, 30]),
  };
  if (body.timeoutSeconds === 1 && !r.chance(0.1)) body.timeoutSeconds = 5;
  if (r.chance(0.1)) delete body.timeoutSeconds;
  return { name, type, isOdd: isDead, body };
}

function oddPaths(key, name) {
  return [
    `/${key}/${name}/`,
    `//${key}//${name}`,
    `/${key}/x/../${name}`,
    `/${key}/./${name}`,
    `/${key}/${name}%20a`,
    `/${key}/${name}%2Fa`,
    `/${key}/${name}/é`,
    `/${key}/${name};a=b`,
    `/${key}/${name}:a@b,c$d!e'(f)*`,
    `/${key}/${name}//`,
  ];
}

function drawRule(r, { resource }) {
  const kind = kinds[resource];
  const { group = "", parts = [] } = kind;
  const version = r.pick(versionsOf(kind));
  const part = parts.length === 0 ? "status" : r.pick(parts).name;
  const resources = r.pick([
    [resource],
    [resource, `${resource}/*`],
    [resource, `${resource}/${part}`],
    [`${resource}/${part}`],
    [`${resource}/*`],
    ["*/*"],
    [`*/${part}`, resource],
    ["*"],
    [...others, resource],
  ]);
  // Other cases run beside this one: what is in no namespace is theirs as well.
  const isBounded = kind.isCluster === true || !resources.some((name) => name.startsWith("*"));
  return {
    operations: weighted(
      r,
      ["*"],
      [
        ["CREATE"],
        ["CREATE", "UPDATE"],
        ["UPDATE"],
        ["DELETE"],
        ["CONNECT"],
        ["CREATE", "DELETE", "UPDATE", "CONNECT"],
      ],
      0.4,
    ),
    apiGroups: weighted(r, [group], [["*"], [group, "other"], ["other"], ["apps", group]]),
    apiVersions: weighted(r, [version], [["*"], versionsOf(kind), ["v9", version], ["v9"]], 0.4),
    resources,
    ...(isBounded
      ? r.chance(0.4) && { scope: r.pick(["*", kind.isCluster ? "Cluster" : "Namespaced", "Cluster", "Namespaced"]) }
      : { scope: "Namespaced" }),
  };
}

/**
 * Returns selectors of the case alone: by the label of its namespace. Requests outside of namespaces are selected by the user of the
 * case, in a condition.
 */
function selectorsOf(r, { key, resource }) {
  const own = kinds[resource].isCluster ? {} : { matchLabels: { case: key } };
  const more = weighted(r, [], [[requirement(r, "zone", ["a", "b"])]], 0.25);
  const namespaceSelector = { ...own, ...(more.length > 0 && { matchExpressions: more }) };
  return {
    ...(Object.keys(namespaceSelector).length > 0 && { namespaceSelector }),
    ...(r.chance(0.25) && {
      objectSelector: r.chance(0.5)
        ? { matchExpressions: [requirement(r, "tier", tiers)] }
        : { matchLabels: { tier: r.pick(tiers) } },
    }),
  };
}

function requirement(r, key, values) {
  return r.pick([
    { key, operator: "Exists" },
    { key, operator: "DoesNotExist" },
    { key, operator: "In", values: [r.pick(values), "z"] },
    { key, operator: "NotIn", values: [r.pick(values)] },
  ]);
}

const expressions = [
  "true",
  "request.operation != 'DELETE'",
  "object != null && has(object.metadata.labels)",
  "oldObject == null || oldObject.metadata.name == request.name",
  "object.metadata.name != 'none'",
  "request.userInfo.groups.exists(g, g == 'one')",
  "request.resource.version == request.requestResource.version",
  "!has(request.subResource) || request.subResource != 'status'",
  "request.dryRun == false",
  "has(object.metadata.labels.tier)",
  "object.metadata.labels.tier == 'web'",
  "request.options.fieldManager != ''",
  "1 / size(request.name) >= 0",
  "authorizer.requestResource.check('delete').allowed()",
];

function drawConditions(r, { resource, user }) {
  const isOwn = kinds[resource].isCluster === true;
  const drawn = r.chance(0.25) ? Array.from({ length: 1 + r.int(2) }, () => r.pick(expressions)) : [];
  const all = isOwn ? [`request.userInfo.username == '${user}'`, ...drawn] : drawn;
  return all.map((expression, index) => ({ name: `c${index}`, expression }));
}
