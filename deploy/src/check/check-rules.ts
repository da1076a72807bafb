import type { ReportRule } from "@gatehouse/component-base/manifests";

/** The rules of `gatehouse check`: the parts of a server that can refuse an object, or remark on it. */
export const checkRules = [
  {
    id: "document",
    title: "Documents that can be read",
    description: "Finds documents that are not valid YAML or JSON, or lack apiVersion, kind or a name.",
  },
  {
    id: "kind",
    title: "Kinds that the server serves",
    description:
      "Finds kinds that no definition and no version of the server has, and names the versions in their place.",
  },
  {
    id: "fields",
    title: "Fields of the right name and type",
    description: "Finds fields that a kind does not have, that are given twice, or that are of another type.",
  },
  {
    id: "validation",
    title: "Valid values",
    description:
      "Finds values that the validation of a kind refuses: that of the server, of schemas and of their rules.",
  },
  {
    id: "admission",
    title: "Admission",
    description: "Finds objects that Pod Security, quotas, limits, policies, hooks or another admission plugin refuse.",
  },
  {
    id: "namespace",
    title: "Namespaces",
    description: "Tells of namespaces that objects are in and that nothing makes.",
  },
  {
    id: "deprecation",
    title: "Deprecated versions and fields",
    description: "Finds versions that a later release does not serve, and fields that are deprecated.",
  },
  {
    id: "server-warning",
    title: "Warnings of the server",
    description: "Passes on the other warnings that the server sends with its answer.",
  },
  {
    id: "object",
    title: "Objects among each other",
    description: "Tells of objects that are given twice, and of whatever else the server refuses.",
  },
] as const satisfies readonly ReportRule[];

/** Id of a rule. */
export type CheckRule = (typeof checkRules)[number]["id"];
