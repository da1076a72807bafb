import type { MessageType } from "../libraries/message-type.js";
import { EvaluationError } from "../values/evaluation-error.js";
import { literalKey, type MapKey } from "../values/maps.js";
import { messageText } from "../values/message-text.js";
import { CelMap, type CelValue, Optional } from "../values/value.js";
import { caughtError, type Frame, isError, type Outcome, type Step } from "./frame.js";

const listCost = 10;
const mapCost = 30;
const structCost = 40;

/** Returns the step of a list literal. */
export function listStep(elements: readonly Step[], optionalIndexes: readonly number[]): Step {
  const isOptional = elements.map((_, index) => optionalIndexes.includes(index));
  return (frame) => {
    const list: CelValue[] = [];
    for (let index = 0; index < elements.length; index++) {
      const value = (elements[index] as Step)(frame);
      const element = isOptional[index] ? presentValue(value, "list element") : value;
      if (element !== undefined && isError(element)) {
        frame.charge(listCost);
        return element;
      }
      if (element !== undefined) {
        list.push(element);
      }
    }
    frame.charge(listCost);
    return list;
  };
}

/** An entry of a map literal, compiled. */
export interface EntrySteps {
  readonly key: Step;
  readonly value: Step;
  readonly isOptional: boolean;
}

/** Returns the step of a map literal. */
export function mapStep(entries: readonly EntrySteps[]): Step {
  return (frame) => {
    const outcome = makeMap(frame, entries);
    frame.charge(mapCost);
    return outcome;
  };
}

function makeMap(frame: Frame, entries: readonly EntrySteps[]): Outcome {
  const map = new Map<MapKey, CelValue>();
  for (const entry of entries) {
    const key = entry.key(frame);
    if (isError(key)) {
      return key;
    }
    const outcome = entry.value(frame);
    const value = entry.isOptional ? presentValue(outcome, `entry '${messageText(key)}'`) : outcome;
    if (value !== undefined && isError(value)) {
      return value;
    }
    try {
      setEntry(map, literalKey(map, key), value);
    } catch (thrown) {
      return caughtError(thrown);
    }
  }
  return new CelMap(map);
}

function setEntry(map: Map<MapKey, CelValue>, key: MapKey, value: CelValue | undefined): void {
  if (value === undefined) {
    map.delete(key);
  } else {
    map.set(key, value);
  }
}

/** A field of a struct literal, compiled. */
export interface FieldSteps {
  /** The JSON member that the field is. */
  readonly member: string;
  readonly value: Step;
  readonly isOptional: boolean;
}

/** Returns the step of a struct literal, whose value is that of the message, if it is one, or a JSON object. */
export function structStep(fields: readonly FieldSteps[], message: MessageType | undefined): Step {
  return (frame) => {
    const members = makeMembers(frame, fields);
    const outcome = members instanceof EvaluationError ? members : makeStruct(members, message);
    frame.charge(structCost);
    return outcome;
  };
}

function makeStruct(members: ReadonlyMap<string, CelValue>, message: MessageType | undefined): Outcome {
  if (message === undefined) {
    // From entries, which define members: a field __proto__ is a member as any other.
    return Object.fromEntries(members) as CelValue;
  }
  try {
    const converted = [...members].map(([name, value]): [string, CelValue] => [
      name,
      message.fields.get(name)?.convert(value) ?? value,
    ]);
    return message.build(new Map(converted));
  } catch (thrown) {
    return caughtError(thrown);
  }
}

function makeMembers(frame: Frame, fields: readonly FieldSteps[]): ReadonlyMap<string, CelValue> | EvaluationError {
  const members = new Map<string, CelValue>();
  for (const { member, value, isOptional } of fields) {
    const outcome = value(frame);
    const present = isOptional ? presentValue(outcome, `entry '${member}'`) : outcome;
    if (present !== undefined && isError(present)) {
      return present;
    }
    if (present !== undefined) {
      members.set(member, present);
    }
  }
  return members;
}

/** Returns the value of an optional; undefined if it is absent. */
function presentValue(outcome: Outcome, what: string): Outcome | undefined {
  if (outcome instanceof Optional) {
    return outcome.value;
  }
  return isError(outcome)
    ? outcome
    : new EvaluationError(`cannot initialize optional ${what} from non-optional value ${messageText(outcome)}`);
}
