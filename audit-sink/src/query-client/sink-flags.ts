import { defineFlags, type FlagValues } from "@gatehouse/component-base/flags";
import { periodFlags, sinkFlags } from "@gatehouse/component-base/sink-client";
import { type EventField, eventFields } from "../index-store/event-fields.js";
import { eventFormats } from "./event-lines.js";

const output = { type: "string", default: "table", shorthand: "o", group: "Output" } as const;

/** Flag for the format in which events are printed. */
export const eventOutputFlags = defineFlags({
  output: {
    ...output,
    choices: eventFormats,
    help: "`format`: table; json, one document a line with position and sender; events, one event a line as it was sent.",
  },
});

/** Flags that say which events are meant. */
export const filterFlags = defineFlags({
  user: fieldFlag(
    "`name` of who has made the request. As with each filter: system:* is a beginning, !jane is anything else, and of several values one must fit.",
  ),
  "impersonated-user": fieldFlag("`name` of the user as whom the request was made."),
  verb: fieldFlag("`verb`, such as create."),
  resource: fieldFlag("`resource`, such as deployments.apps or pods/log."),
  namespace: fieldFlag("`namespace` of the object."),
  name: fieldFlag("`name` of the object."),
  code: fieldFlag("`status` code of the answer, such as 403 or 5*."),
  decision: fieldFlag("`decision` of the authorizer: allow or forbid."),
  stage: fieldFlag("`stage`, such as ResponseComplete."),
  level: fieldFlag("`level`, such as Metadata."),
  "source-ip": fieldFlag("`address` of the client."),
  sender: fieldFlag("`name` of who has sent the event to the sink."),
  "audit-id": { type: "string", group: "Filter", help: "`id` of the request." },
});

function fieldFlag(help: string) {
  return { type: "stringList", keepCommas: true, group: "Filter", help } as const;
}

/** Flags of every question about kept events. */
export const questionFlags = defineFlags({ ...filterFlags, ...periodFlags, ...sinkFlags });

/** Flags of every question whose answer is a summary of kept events. */
export const summaryFlags = defineFlags({
  output: { ...output, choices: ["table", "json"], help: "`format`: table or json." },
  ...questionFlags,
});

/** Names of flags that differ from their field. */
const flagOf: Readonly<Partial<Record<EventField, "impersonated-user" | "source-ip">>> = {
  impersonatedUser: "impersonated-user",
  sourceIP: "source-ip",
};

/** The parameters of a question. */
export function queryOf(
  values: FlagValues<typeof filterFlags> & Partial<FlagValues<typeof periodFlags>>,
): URLSearchParams {
  const query = new URLSearchParams();
  for (const field of eventFields) {
    const flag = flagOf[field] ?? (field as Exclude<EventField, keyof typeof flagOf>);
    for (const value of values[flag as keyof FlagValues<typeof filterFlags>] ?? []) {
      query.append(field, value);
    }
  }
  for (const [name, value] of Object.entries({ auditID: values["audit-id"], from: values.from, to: values.to })) {
    if (value !== undefined) {
      query.set(name, value);
    }
  }
  return query;
}
