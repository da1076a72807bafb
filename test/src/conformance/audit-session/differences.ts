import { parseYaml } from "@gatehouse/envelopes/codec";
import { type EventMembers, type SessionEvents, withoutChance } from "./recorded-events.js";
import { auditSession } from "./session.js";
import type { Step } from "./step.js";

/*
 * What this server records other than v1.29, by decision 0022: objects of lists and watches are not named, bodies are
 * recorded as they were sent, tokens are not recorded, and a patch that is no JSON does not lose the event. By decision
 * 0008, what a client did wrong is answered 400, where v1.29 takes it for its own fault.
 */

const steps = auditSession("TAG");

/** The recorded events as this server is to leave them. */
export async function differencesByDecision(recorded: SessionEvents): Promise<SessionEvents> {
  const changed: Record<string, readonly EventMembers[]> = {};
  for (const [key, events] of Object.entries(recorded)) {
    const step = steps[Number.parseInt(key, 10)] as Step;
    changed[key] = await Promise.all(events.map((event) => asDecided(event, step)));
  }
  return changed;
}

/** Requests whose last event v1.29 loses, because it cannot write what they have sent. */
export function isLostByV129(key: string): boolean {
  const { method, body } = steps[Number.parseInt(key, 10)] as Step;
  return key.endsWith(" ResponseComplete") && method === "PATCH" && !isJson(body);
}

async function asDecided(event: EventMembers, step: Step): Promise<EventMembers> {
  const { objectRef, requestObject, responseObject, ...rest } = withStatus(event, answeredOtherwise(event, step));
  const isList = event["verb"] === "list" || event["verb"] === "watch";
  return {
    ...rest,
    ...(objectRef === undefined || isList ? {} : { objectRef }),
    ...(requestObject === undefined ? {} : { requestObject: await asSent(requestObject, step) }),
    ...(responseObject === undefined ? {} : { responseObject: withoutToken(responseObject, step) }),
  };
}

/** Members of the Status that is answered here, where it is another one; undefined where it is not. */
function answeredOtherwise({ responseStatus }: EventMembers, { path, body }: Step): object | undefined {
  const isOfRequest = body !== undefined || path.includes("resourceVersion=");
  if (isOfRequest && (responseStatus as { readonly code?: number } | undefined)?.code === 500) {
    return { reason: "BadRequest", code: 400 };
  }
  return undefined;
}

function withStatus(event: EventMembers, answered: object | undefined): EventMembers {
  const told = answered === undefined ? [] : ["responseStatus", "responseObject"].filter((name) => name in event);
  return { ...event, ...Object.fromEntries(told.map((name) => [name, { ...(event[name] as object), ...answered }])) };
}

async function asSent(recorded: unknown, step: Step): Promise<unknown> {
  const { body, headers, method } = step;
  if (method === "PATCH" || typeof body !== "string") {
    // A patch is recorded as it was sent by both, and protobuf as what it was decoded to.
    return recorded;
  }
  const sent = headers?.["content-type"] === "application/yaml" ? (await parseYaml(body)).value : JSON.parse(body);
  return withoutToken(withoutChance(sent, "TAG"), step);
}

function withoutToken(object: unknown, { path }: Step): unknown {
  const last = /\/(\w+)(?:\?|$)/.exec(path)?.[1];
  const part = last === "token" ? "status" : last === "tokenreviews" ? "spec" : undefined;
  const whole = object as Record<string, { token?: string }>;
  if (part === undefined || whole[part]?.token === undefined) {
    return object;
  }
  const { token: _token, ...rest } = whole[part];
  return { ...whole, [part]: rest };
}

function isJson(body: Step["body"]): boolean {
  try {
    JSON.parse(String(body));
    return true;
  } catch {
    return false;
  }
}
