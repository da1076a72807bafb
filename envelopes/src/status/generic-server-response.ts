import { goQuote } from "../go/quote.js";
import { type GroupResource, groupResourceText, StatusError } from "./status-error.js";

/** The answer of another server that is no Status. */
export interface ForeignAnswer {
  readonly code: number;
  readonly text: string;
}

/** Reason and message by code, where they do not depend on the text of the answer. */
const byCode: ReadonlyMap<number, readonly [reason: string, message: string]> = new Map([
  [400, ["BadRequest", "the server rejected our request for an unknown reason"]],
  [401, ["Unauthorized", "the server has asked for the client to provide credentials"]],
  [404, ["NotFound", "the server could not find the requested resource"]],
  [405, ["MethodNotAllowed", "the server does not allow this method on the requested resource"]],
  [409, ["Conflict", "the server reported a conflict"]],
  [422, ["Invalid", "the server rejected our request due to an error in our request"]],
  [429, ["TooManyRequests", "the server has received too many requests and has asked us to try again later"]],
  [503, ["ServiceUnavailable", "the server is currently unable to handle the request"]],
  [
    504,
    [
      "Timeout",
      "the server was unable to return a response in the time allotted, but may still be processing the request",
    ],
  ],
]);

/** Returns reason and message that v1.29 finds in an answer that is no Status; the reason is empty for some codes. */
export function genericProblem({ code, text }: ForeignAnswer): { readonly reason: string; readonly message: string } {
  const [reason, message] = byCode.get(code) ?? reasonOf(code, text);
  return { reason, message };
}

/** Returns the error for an answer of another server to a reading request, in v1.29's words. */
export function genericServerResponse(
  { code, text }: ForeignAnswer,
  resource: GroupResource,
  name: string,
): StatusError {
  const { reason, message } = genericProblem({ code, text });
  const { group, resource: kind } = resource;
  return new StatusError(code, reason, `${message} ( ${groupResourceText(resource)} ${name})`, {
    name,
    ...(group === "" ? {} : { group }),
    kind,
  });
}

function reasonOf(code: number, text: string): readonly [reason: string, message: string] {
  switch (code) {
    case 403:
      return ["Forbidden", text];
    case 406:
      return [
        "NotAcceptable",
        text === "" || text === "unknown"
          ? "the server was unable to respond with a content type that the client supports"
          : text,
      ];
    case 415:
      return ["UnsupportedMediaType", text];
    default:
      return code >= 500
        ? ["InternalError", `an error on the server (${goQuote(text)}) has prevented the request from succeeding`]
        : ["", `the server responded with the status code ${code} but did not return more information`];
  }
}
