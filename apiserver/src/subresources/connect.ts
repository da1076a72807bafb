import type { JsonObject } from "@gatehouse/envelopes/json";
import { badRequest } from "@gatehouse/envelopes/status";
import { AdmissionAttributes } from "../admission/attributes.js";
import type { RequestScope } from "../verbs/request-scope.js";
import type { VerbHandler, VerbHandlers } from "../verbs/verb-handler.js";
import { connectOptions } from "./connect-options.js";

/** A connection that admission has let through. */
export interface Connection extends RequestScope {
  readonly options: JsonObject;
}

/** Forwards a connection. Rejects with a StatusError that gives the reason. */
export type Connect = (connection: Connection) => Promise<void>;

/** Returns the verbs of a subresource whose requests are forwarded, by whatever method they come. */
export function connectHandlers(connect: Connect): VerbHandlers {
  const handler: VerbHandler = (scope) => admitAndConnect(scope, connect);
  return { create: handler, get: handler, update: handler, patch: handler, delete: handler };
}

async function admitAndConnect(scope: RequestScope, connect: Connect): Promise<void> {
  const { environment, context, served } = scope;
  const { subresource } = context.info;
  const definition = served.definition.subresources.find(({ name }) => name === subresource);
  if (definition?.connect === undefined || definition.kind === undefined) {
    throw new Error(`${served.resource}/${subresource} is nothing to connect to`);
  }
  if (context.query.getAll("dryRun").length > 0) {
    throw badRequest("dryRun is not supported");
  }
  const { kind } = definition;
  const options = connectOptions(context, kind, definition.connect.takesPath);
  const attributes = new AdmissionAttributes({
    operation: "CONNECT",
    caller: context,
    kind,
    resource: served,
    subresource,
    object: options,
    options: {},
    dryRun: false,
  });
  await environment.admission.mutate(attributes);
  await environment.admission.validate(attributes);
  const ended = environment.metrics.longRunningStarted(context);
  try {
    await connect({ ...scope, options });
  } finally {
    ended();
  }
}
