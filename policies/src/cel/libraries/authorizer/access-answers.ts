import { PendingAnswer } from "../../values/pending-answer.js";
import type { AccessDecision, AccessQuestion, AuthorizationSource } from "./authorization-source.js";

/**
 * Answers of an authorizer, kept by question, so that an evaluation that is repeated has them. Evaluations ask few: each
 * question costs a third of what an expression may.
 */
export class AccessAnswers {
  readonly #source: AuthorizationSource;
  readonly #known = new Map<string, AccessDecision>();

  constructor(source: AuthorizationSource) {
    this.#source = source;
  }

  /** Returns the answer to a question. Throws PendingAnswer if it takes time; ask again when that is settled. */
  decide(question: AccessQuestion): AccessDecision {
    const key = JSON.stringify(question);
    const known = this.#known.get(key);
    if (known !== undefined) {
      return known;
    }
    const answer = this.#source.check(question);
    if (!(answer instanceof Promise)) {
      this.#known.set(key, answer);
      return answer;
    }
    throw new PendingAnswer(
      answer.catch(decisionOfFailure).then((decision) => {
        this.#known.set(key, decision);
      }),
    );
  }
}

function decisionOfFailure(reason: unknown): AccessDecision {
  return { allowed: false, reason: "", error: reason instanceof Error ? reason.message : String(reason) };
}
