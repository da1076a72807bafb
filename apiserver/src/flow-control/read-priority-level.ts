import { integerAt, isSet, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { exemptName } from "./mandatory-objects.js";

/** The queues of a priority level. */
export interface Queuing {
  readonly queues: number;
  /** The number of queues among which a flow's requests are divided. */
  readonly handSize: number;
  /** The number of requests that wait in one queue when no seat is free. */
  readonly queueLengthLimit: number;
}

/** A PriorityLevelConfiguration as the server uses it. */
export interface PriorityLevel {
  readonly name: string;
  readonly uid: string;
  /** True if its requests are not limited. */
  readonly isExempt: boolean;
  readonly shares: number;
  readonly lendablePercent: number;
  /** The percentage of its own seats that a level may borrow; undefined for any number. */
  readonly borrowingLimitPercent: number | undefined;
  /** The queues; undefined for a level that rejects what it has no seat for. */
  readonly queuing: Queuing | undefined;
}

/** Reads a stored PriorityLevelConfiguration. Undefined for one that contradicts itself, which v1.29 ignores. */
export function readPriorityLevel(object: JsonValue): PriorityLevel | undefined {
  const type = textAt(object, "spec", "type");
  const name = textAt(object, "metadata", "name");
  const isExempt = type === "Exempt";
  const members = isExempt ? "exempt" : "limited";
  const isWhole = isSet(object, "spec", members) && !isSet(object, "spec", isExempt ? "limited" : "exempt");
  const response = textAt(object, "spec", "limited", "limitResponse", "type");
  const hasQueues = isSet(object, "spec", "limited", "limitResponse", "queuing");
  if (!isWhole || isExempt !== (name === exemptName) || (!isExempt && (response === "Reject") === hasQueues)) {
    return undefined;
  }
  const numberAt = (...path: string[]): number => Number(integerAt(object, "spec", ...path));
  const queuing = (member: string): number => numberAt("limited", "limitResponse", "queuing", member);
  return {
    name,
    uid: textAt(object, "metadata", "uid"),
    isExempt,
    shares: numberAt(members, "nominalConcurrencyShares"),
    lendablePercent: numberAt(members, "lendablePercent"),
    borrowingLimitPercent: isSet(object, "spec", "limited", "borrowingLimitPercent")
      ? numberAt("limited", "borrowingLimitPercent")
      : undefined,
    queuing: hasQueues
      ? {
          queues: queuing("queues"),
          handSize: queuing("handSize"),
          queueLengthLimit: queuing("queueLengthLimit"),
        }
      : undefined,
  };
}
