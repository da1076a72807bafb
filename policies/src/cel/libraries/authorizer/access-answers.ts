import { PendingAnswer } from "../../values/pending-answer.js";
import { countWork } from "../../values/work.js";
import type { AccessDecision, AccessQuestion, AuthorizationSource } from "./authorization-source.js";

/** The work of asking an authorizer, which bounds how often one evaluation may ask: the cost of a question may be 1. */
const questionWork = 10_000;

/** The work of finding an answer that is known. */
const answerWork = 1_000;

/** Answers of an authorizer, kept by question, so that an evaluation that is repeated has them. */
export class AccessAnswers {
  readonly #source: AuthorizationSource;
  readonly #known = new Map<string, AccessDecision>();

  constructor(source: AuthorizationSource) {
    this.#source = source;
  }

  /** Returns the answer to a question. Throws PendingAnswer if it takes time; ask again when that is settled. */
  decide(question: AccessQuestion): AccessDecision {
    countWork(answerWork);
    const key = JSON.stringify(question);
    const known = this.#known.get(key);
    if (known !== undefined) {
      return known;
    }
    countWork(questionWork);
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
