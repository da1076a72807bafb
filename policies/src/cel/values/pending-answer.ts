/**
 * Thrown by a function that needs an answer from outside, such as a remote authorizer's. It ends the evaluation, which
 * is repeated when the promise is settled; the function then has the answer. Nothing in the expression can go on without
 * it, so that no expression sees whether an answer came at once.
 */
export class PendingAnswer {
  readonly answer: Promise<unknown>;

  constructor(answer: Promise<unknown>) {
    this.answer = answer;
  }
}
