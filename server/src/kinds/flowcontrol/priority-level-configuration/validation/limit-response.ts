import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { integerAt, isSet, type JsonObject, type JsonValue, textAt } from "@gatehouse/envelopes/json";

const maxQueues = 10_000_000;
// Bits in the hash of a flow for choosing its hand of queues.
const maxEntropyBits = 60;

/** Validates the response to requests beyond the limit; only the type `Queue` has queues. */
export function validateLimitResponse(response: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const type = textAt(response, "type");
  const hasQueuing = isSet(response, "queuing");
  switch (type) {
    case "Reject":
      if (hasQueuing) {
        errors.forbidden(path.child("queuing"), "must be nil if limited.limitResponse.type is not Limited");
      }
      return;
    case "Queue":
      if (hasQueuing) {
        validateQueuing(response["queuing"], path.child("queuing"), errors);
      } else {
        errors.required(path.child("queuing"), "must not be empty if limited.limitResponse.type is Limited");
      }
      return;
    default:
      errors.notSupported(path.child("type"), type, ["Queue", "Reject"]);
  }
}

function validateQueuing(queuing: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const lengthLimit = integerAt(queuing, "queueLengthLimit");
  if (lengthLimit <= 0) {
    errors.invalid(path.child("queueLengthLimit"), lengthLimit, "must be positive");
  }
  const queues = Number(integerAt(queuing, "queues"));
  if (queues <= 0) {
    errors.invalid(path.child("queues"), queues, "must be positive");
  } else if (queues > maxQueues) {
    errors.invalid(path.child("queues"), queues, `must not be greater than ${maxQueues}`);
  }
  const handSize = Number(integerAt(queuing, "handSize"));
  const problem = handSizeProblem(handSize, queues);
  if (problem !== undefined) {
    errors.invalid(path.child("handSize"), handSize, problem);
  }
}

/** Returns the problem of a hand size: a flow is dealt a hand of the queues, which takes bits of its hash. */
function handSizeProblem(handSize: number, queues: number): string | undefined {
  if (handSize <= 0) {
    return "must be positive";
  }
  if (handSize > queues) {
    return `should not be greater than queues (${queues})`;
  }
  return Math.ceil(Math.log2(queues) * handSize) > maxEntropyBits
    ? `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${maxEntropyBits}`
    : undefined;
}
