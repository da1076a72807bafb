// The reference of configuration documents: every member of every kind that a process reads from a file, from the schemas
// that the processes check these files against.
import { schemaRegistry } from "@gatehouse/envelopes/schema";

const config = ["config.gatehouse.dev", "v1alpha1"];

/** The documents by the process that reads them, and how they are named to it. */
const processes = [
  {
    title: "Admission server",
    given: "`gatehouse-admission --config FILE`; cases lie in the folder of `gatehouse-admission test DIR`",
    kinds: [
      [...config, "AdmissionServerConfiguration"],
      [...config, "HookCase"],
    ],
  },
  {
    title: "Policies and rules in CEL",
    given: "files of cases, beside policies and definitions ([cases of policies](../guides/policy-tests.md))",
    kinds: [[...config, "PolicyCases"]],
  },
  { title: "Image-review server", given: "`gatehouse-image-review --config FILE`", kinds: [[...config, "ImageRules"]] },
  {
    title: "Authorization server",
    given:
      "`gatehouse-authorization --config FILE`, beside Role, ClusterRole, RoleBinding and ClusterRoleBinding objects",
    kinds: [[...config, "AuthorizationRules"]],
  },
  {
    title: "Token-review server",
    given: "`gatehouse-token-review --config FILE`",
    kinds: [[...config, "TokenReviewConfiguration"]],
  },
  {
    title: "Audit sink",
    given: "`gatehouse-audit-sink --config FILE`",
    kinds: [[...config, "AuditSinkConfiguration"]],
  },
  {
    title: "API server: audit policy",
    given: "`--audit-policy-file FILE`, and `policyFile` of a pipeline of the audit sink",
    kinds: [["audit.k8s.io", "v1", "Policy"]],
  },
  {
    title: "API server: authentication and authorization",
    given: "`--authentication-config FILE` and `--authorization-config FILE`",
    kinds: [
      ["apiserver.config.k8s.io", "v1alpha1", "AuthenticationConfiguration"],
      ["apiserver.config.k8s.io", "v1alpha1", "AuthorizationConfiguration"],
    ],
  },
  {
    title: "API server: admission plugins",
    given: "`--admission-control-config-file FILE`, which is an AdmissionConfiguration and names the others",
    kinds: [
      ["apiserver.config.k8s.io", "v1", "AdmissionConfiguration"],
      ["apiserver.config.k8s.io", "v1", "WebhookAdmissionConfiguration"],
      ["apiserver.config.k8s.io", "v1", "ImagePolicyWebhookConfiguration"],
      ["apiserver.config.k8s.io", "v1", "ResourceQuotaConfiguration"],
      ["eventratelimit.admission.k8s.io", "v1alpha1", "Configuration"],
      ["pod-security.admission.config.k8s.io", "v1", "PodSecurityConfiguration"],
      ["podtolerationrestriction.admission.k8s.io", "v1alpha1", "Configuration"],
      [...config, "PodNodeSelectorConfiguration"],
    ],
  },
];

/** Returns the page as Markdown. */
export function configurationReference() {
  const registry = schemaRegistry();
  const sections = processes.map(({ title, given, kinds }) => {
    const documents = kinds.map(([group, version, kind]) => {
      const found = registry.kindSchema(group, version, kind);
      if (found === undefined) {
        throw new Error(`there is no kind ${kind} of ${group}/${version}`);
      }
      return documentSection(`${group}/${version}`, kind, found.schema);
    });
    return `## ${title}\n\nGiven by ${given}.\n\n${documents.join("\n")}`;
  });
  return `# Configuration documents

Every member of every document that a process reads. A document is YAML or JSON and names its \`apiVersion\` and \`kind\`.
Members that a kind does not have, wrong types and missing required members stop the process at its start, with all problems
at once, each with its path. File names are relative to the file in which they stand. \`[]\` stands for the items of a list,
\`{}\` for the values of a map.

${sections.join("\n")}`;
}

function documentSection(apiVersion, kind, schema) {
  const rows = [...rowsOf(schema, "", [schema])];
  const table = rows.map(({ path, type, description }) => `| \`${path}\` | ${type} | ${description} |`);
  const heading = `### ${kind}\n\n\`apiVersion: ${apiVersion}\`. ${cell(schema.description)}\n`;
  return `${heading}\n| member | type | |\n| --- | --- | --- |\n${table.join("\n")}\n`;
}

/** Yields a row for each member, those of nested objects after the member that holds them. `seen` begins with the document. */
function* rowsOf(schema, prefix, seen) {
  for (const field of schema.fields) {
    if (prefix === "" && ["apiVersion", "kind", "metadata"].includes(field.name)) {
      continue;
    }
    if (field.inline) {
      yield* rowsOf(field.schema, prefix, seen);
      continue;
    }
    const path = `${prefix}${field.name}`;
    const required = field.required ? ", required" : "";
    yield { path, type: `${typeOf(field.schema)}${required}`, description: cell(field.description) };
    const { inner, suffix } = innermost(field.schema);
    // Objects of other groups, such as containers and label selectors, are described where the API describes them.
    if (inner.type === "object" && !seen.includes(inner) && packageOf(inner) === packageOf(seen[0])) {
      yield* rowsOf(inner, `${path}${suffix}.`, [...seen, inner]);
    }
  }
}

function packageOf(schema) {
  return schema.name.slice(0, schema.name.lastIndexOf("."));
}

function innermost(schema) {
  let inner = schema;
  let suffix = "";
  while (inner.type === "list" || inner.type === "map") {
    suffix += inner.type === "list" ? "[]" : "{}";
    inner = inner.type === "list" ? inner.items : inner.values;
  }
  return { inner, suffix };
}

function typeOf(schema) {
  switch (schema.type) {
    case "list":
      return `list of ${typeOf(schema.items)}`;
    case "map":
      return `map of ${typeOf(schema.values)}`;
    case "scalar":
      return schema.enum === undefined ? schema.scalar : schema.enum.map((value) => `\`${value}\``).join(" or ");
    case "object":
      return schema.name.split(".").at(-1);
    default:
      return "any JSON";
  }
}

function cell(text) {
  return text.replaceAll("\n", " ").replaceAll("|", "\\|");
}
