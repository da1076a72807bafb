import { goAggregate } from "@gatehouse/envelopes/go";
import type { MaybePromise } from "../request/handler.js";
import type { AuthorizationAttributes, AuthorizationDecision, Authorizer, KnownRules } from "./authorizer.js";

/** The reasons and errors of authorizers without an opinion. */
interface Heard {
  readonly reasons: readonly string[];
  readonly errors: readonly Error[];
}

const silence: Heard = { reasons: [], errors: [] };

/**
 * Asks one authorizer after the other until one has an opinion. Without any the reasons of all are told, a line each, and
 * what kept some from having one.
 */
export function unionAuthorizer(authorizers: readonly Authorizer[]): Required<Authorizer> {
  const askFrom = (
    index: number,
    attributes: AuthorizationAttributes,
    heard: Heard,
  ): MaybePromise<AuthorizationDecision> => {
    const authorizer = authorizers[index];
    if (authorizer === undefined) {
      return withError({ decision: "noOpinion", reason: heard.reasons.join("\n") }, heard.errors);
    }
    const conclude = (answer: AuthorizationDecision): MaybePromise<AuthorizationDecision> =>
      answer.decision === "noOpinion" ? askFrom(index + 1, attributes, hear(heard, answer)) : answer;
    const answer = ask(authorizer, attributes);
    return answer instanceof Promise ? answer.then(conclude) : conclude(answer);
  };
  return {
    authorize: (attributes) => askFrom(0, attributes, silence),
    explain(attributes, decision) {
      const texts = authorizers.map((authorizer) => authorizer.explain?.(attributes, decision));
      return texts.find((text) => text !== undefined);
    },
    async rulesFor(user, namespace): Promise<KnownRules> {
      const known = await Promise.all(authorizers.map((authorizer) => authorizer.rulesFor?.(user, namespace)));
      const all = known.filter((one) => one !== undefined);
      const rules = all.flatMap((one) => one.rules);
      const errors = all.flatMap(({ error }) => (error === undefined ? [] : [error]));
      return withError({ rules, incomplete: all.some(({ incomplete }) => incomplete) }, errors);
    },
  };
}

function ask(authorizer: Authorizer, attributes: AuthorizationAttributes): MaybePromise<AuthorizationDecision> {
  try {
    const answer = authorizer.authorize(attributes);
    return answer instanceof Promise ? answer.catch(failed) : answer;
  } catch (error) {
    return failed(error);
  }
}

function failed(error: unknown): AuthorizationDecision {
  return { decision: "noOpinion", reason: "", error: error instanceof Error ? error : new Error(String(error)) };
}

function hear(heard: Heard, { reason, error }: AuthorizationDecision): Heard {
  if (reason === "" && error === undefined) {
    return heard;
  }
  return {
    reasons: reason === "" ? heard.reasons : [...heard.reasons, reason],
    errors: error === undefined ? heard.errors : [...heard.errors, error],
  };
}

/** Adds errors to an answer: several are joined as in v1.29, each once, in brackets. */
function withError<T extends object>(answer: T, errors: readonly Error[]): T & { readonly error?: Error } {
  if (errors.length === 0) {
    return answer;
  }
  return { ...answer, error: new Error(goAggregate(errors.map(({ message }) => message))) };
}
