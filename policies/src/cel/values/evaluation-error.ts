/**
 * An evaluation that has no value: a missing key, a division by zero. `||`, `&&`, `all` and `exists` go on without it when
 * another operand decides. No Error, since nobody reads its stack and making one takes long. `message` has v1.29's text.
 */
export class EvaluationError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** The end of an evaluation that costs more than it may. Nothing in the expression can go on without it. */
export class CostLimitExceeded extends EvaluationError {
  constructor(message = "operation cancelled: actual cost limit exceeded") {
    super(message);
  }
}

/** The error of an evaluation that would hold the others up, although it costs little. v1.29 ends it when its time is over. */
export class WorkLimitExceeded extends CostLimitExceeded {
  constructor() {
    super("operation interrupted");
  }
}

/** Thrown where the limit of work is exceeded. No EvaluationError, so that nobody takes it for the error of one operation. */
export class WorkInterruption {}
