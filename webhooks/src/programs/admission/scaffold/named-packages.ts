import type { NamedPackages } from "@gatehouse/component-base/projects";

/** The packages that the source of a hook project imports. */
export const namedPackages: NamedPackages = {
  runtime: ["@gatehouse/envelopes", "@gatehouse/webhooks"],
  development: [],
  from: import.meta.url,
};
