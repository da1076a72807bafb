import { trimSpace } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { StepMeter, type Steps } from "@gatehouse/envelopes/scheduling";
import { type FieldError, fieldError, hasEnoughErrors } from "@gatehouse/envelopes/status";
import { FieldPath } from "@gatehouse/envelopes/validation";
import { CostLimitExceeded, EvaluationProgress, workOfLastEvaluation } from "../../cel/index.js";
import type { CompiledRule } from "./compile-rules.js";
import { oldItems } from "./correlate-items.js";
import { costBudgetOfObject } from "./cost-limits.js";
import { evaluateMessage } from "./evaluate-message.js";
import { type ExpressionMetrics, unmeasuredExpressions } from "./expression-metrics.js";
import type { RuleNode } from "./rule-node.js";
import { type Outcome, type PlacedValue, RuleVariables } from "./rule-variables.js";
import type { ComparedValue } from "./unchanged-parts.js";
import { ruleText, type ValidationRule } from "./validation-rule.js";

/** Cost and visited values after which other work may run: a few milliseconds. */
const costPerStep = 50_000;
/** The work of an evaluation, in units of about a nanosecond, that takes as long as a cost of 1. */
const workPerCost = 40;

const settled = Promise.resolve();

/** A broken rule, or a rule that could not be evaluated. */
export interface RuleError extends FieldError {
  /** The text of the rule alone, without the value that clients are shown before it. */
  readonly detail: string;
}

/** The outcome of the rules of an object. */
export interface RuleFindings {
  readonly errors: readonly RuleError[];
  /** Broken rules that do not stop an update, since they are about parts that it leaves alone. */
  readonly warnings: readonly string[];
  /** The part of the budget that is left. Negative if evaluation has ended early. */
  readonly budget: number;
}

/** The old value, and the behaviour that depends on it. */
export interface RuleOptions {
  /** The value that is replaced; undefined for a new one. */
  readonly old: JsonValue | undefined;
  /** Set where mistakes in unchanged parts are only warned about (feature gate CRDValidationRatcheting). */
  readonly compared: ComparedValue | undefined;
  /** True if rules with an optional `oldSelf` are evaluated without an old value. */
  readonly evaluatesOptionalOldSelf: boolean;
  /** The path of the value; undefined, the default, for an object. */
  readonly path?: FieldPath;
  /** The limit of the cost; default `costBudgetOfObject`. */
  readonly budget?: number;
  readonly metrics?: ExpressionMetrics | undefined;
}

/**
 * Evaluates the rules of a schema for a value that the schema allows, those of a value before those of its parts, as
 * v1.29 does. Stops when the budget of cost is spent.
 */
export function* evaluateRules(node: RuleNode, value: JsonValue, options: RuleOptions): Steps<RuleFindings> {
  const run = new RuleRun(options);
  yield* run.visit({ node, value, old: options.old, path: options.path, compared: options.compared });
  return run;
}

class RuleRun implements RuleFindings {
  readonly errors: RuleError[] = [];
  readonly warnings: string[] = [];
  readonly #options: RuleOptions;
  readonly #metrics: ExpressionMetrics;
  readonly #meter = new StepMeter(costPerStep);
  /** A rule that takes long goes on in the next step, so that nobody waits for the promise. */
  readonly #progress = new EvaluationProgress(() => settled);
  #budget: number;
  /** The work that the evaluations of one rule have done beside their cost. */
  #work = 0;
  #isOver = false;

  constructor(options: RuleOptions) {
    this.#options = options;
    this.#metrics = options.metrics ?? unmeasuredExpressions;
    this.#budget = options.budget ?? costBudgetOfObject;
  }

  get budget(): number {
    return this.#isOver ? -1 : this.#budget;
  }

  /** Evaluates the rules of a value and of its parts. */
  visit(place: PlacedValue): Steps {
    return this.#measured(this.#visitValue(place));
  }

  *#visitValue(place: PlacedValue): Steps {
    const { node, value } = place;
    if (this.#meter.count()) {
      yield;
    }
    const rules = node.rules ?? (yield* node.compile(this.#metrics));
    if (rules.length > 0) {
      yield* this.#evaluateAll(rules, place);
    }
    if (this.#isOver) {
      return;
    }
    if (Array.isArray(value)) {
      yield* this.#visitItems(value, place);
    } else if (isJsonObject(value)) {
      yield* this.#visitMembers(value, place);
    }
  }

  /** Takes the steps of an evaluation, and measures them without the time between them. */
  *#measured(evaluation: Steps): Steps {
    const { now, evaluated } = this.#metrics;
    let seconds = 0;
    for (let isDone = false; !isDone; ) {
      const begin = now();
      isDone = evaluation.next().done === true;
      seconds += now() - begin;
      if (!isDone) {
        yield;
      }
    }
    evaluated(seconds);
  }

  *#visitItems(list: JsonArray, { node, old, path, compared }: PlacedValue): Steps {
    const { items } = node;
    if (items === undefined) {
      return;
    }
    const findOld = oldItems(node.schema, Array.isArray(old) ? old : []);
    for (let index = 0; index < list.length && !this.#isOver; index++) {
      const item = list[index];
      if (item === null) {
        this.#metrics.evaluated(0);
      } else if (item !== undefined) {
        yield* this.visit({
          node: items,
          value: item,
          old: findOld(item),
          path: path?.index(index),
          compared: compared?.item(index),
        });
      }
    }
  }

  *#visitMembers(object: JsonObject, { node, old, path, compared }: PlacedValue): Steps {
    const { values, properties } = node;
    const oldObject = isJsonObject(old) ? old : undefined;
    for (const name of Object.keys(object)) {
      const value = object[name];
      const inner = values ?? properties.get(name);
      if (this.#isOver || inner === undefined || value === undefined) {
        continue;
      }
      if (value === null) {
        this.#metrics.evaluated(0);
        continue;
      }
      yield* this.visit({
        node: inner,
        value,
        old: oldObject !== undefined && Object.hasOwn(oldObject, name) ? oldObject[name] : undefined,
        path: path === undefined ? FieldPath.of(name) : values === undefined ? path.child(name) : path.key(name),
        compared: compared?.member(name),
      });
    }
  }

  *#evaluateAll(rules: readonly CompiledRule[], place: PlacedValue): Steps {
    if (this.#budget <= 0) {
      this.#stop(place.path, outOfBudget, place);
      return;
    }
    const values = new RuleVariables(place, rules);
    let { path } = place;
    for (const rule of rules) {
      if (rule.problem !== undefined) {
        this.#refuse(path, place, `rule compile error: ${rule.problem}`);
      } else if (rule.expression !== undefined && this.#applies(rule, place)) {
        const before = this.#budget;
        this.#work = 0;
        let outcome = values.evaluate(rule, this.#progress);
        while (outcome.pending !== undefined) {
          yield;
          outcome = values.evaluate(rule, this.#progress);
        }
        path = this.#conclude(rule, outcome, { values, path, place });
        if (this.#isOver) {
          return;
        }
        if (this.#meter.count(before - this.#budget + this.#work / workPerCost)) {
          yield;
        }
      }
    }
  }

  #applies({ usesOldSelf, source }: CompiledRule, { old }: PlacedValue): boolean {
    const hasOld = old !== undefined && old !== null;
    return !usesOldSelf || hasOld || (source.optionalOldSelf && this.#options.evaluatesOptionalOldSelf);
  }

  /** Notes the outcome of one rule. Returns the path that errors of the next rules of the value have. */
  #conclude(
    rule: CompiledRule,
    { value, error, cost }: Outcome,
    { values, path, place }: { values: RuleVariables; path: FieldPath | undefined; place: PlacedValue },
  ): FieldPath | undefined {
    const { source } = rule;
    this.#work += workOfLastEvaluation();
    if (cost > this.#budget) {
      this.#stop(path, outOfBudget, place);
      return path;
    }
    this.#budget -= cost;
    if (error instanceof CostLimitExceeded) {
      const problem = "no further validation rules will be run due to call cost exceeds limit for rule";
      this.#stop(path, `'${error.message}': ${problem}: ${ruleText(source)}`, place);
    } else if (error?.message.startsWith("no such overload")) {
      const problem = "call arguments did not match a supported operator, function or macro signature for rule";
      this.#refuse(path, place, `'${error.message}': ${problem}: ${ruleText(source)}`);
    } else if (error !== undefined) {
      this.#refuse(path, place, `${error.message} evaluating rule: ${ruleText(source)}`);
    } else if (value !== true) {
      // v1.29 names the field of a broken rule in the errors of the rules after it, too.
      const at = rule.fieldPath === "" ? path : (path?.child(rule.fieldPath) ?? FieldPath.of(rule.fieldPath));
      this.#addBroken(rule, values, at, place);
      return at;
    }
    return path;
  }

  #addBroken(rule: CompiledRule, values: RuleVariables, path: FieldPath | undefined, place: PlacedValue): void {
    const { source } = rule;
    const message =
      rule.messageExpression === undefined
        ? undefined
        : evaluateMessage(rule.messageExpression, values.plain(), this.#budget);
    this.#budget -= message?.cost ?? 0;
    this.#work += workOfLastEvaluation();
    if (message?.problem !== undefined) {
      const error = fieldError.invalid(textOf(path), textAt(place.node.schema, "type"), message.problem);
      this.#add(rule, place, { ...error, detail: message.problem });
      this.#isOver = true;
      return;
    }
    const detail = message?.text ?? defaultMessage(source);
    this.#add(rule, place, { ...brokenRule(source, path, place, detail), detail });
  }

  #add({ usesOldSelf }: CompiledRule, { compared }: PlacedValue, error: RuleError): void {
    if (!usesOldSelf && compared?.isUnchanged === true) {
      this.warnings.push(`${error.field}: ${error.message}`);
    } else {
      this.errors.push(error);
    }
    this.#isOver ||= hasEnoughErrors(this.errors);
  }

  #refuse(path: FieldPath | undefined, { node }: PlacedValue, problem: string): void {
    this.errors.push({ ...fieldError.invalid(textOf(path), textAt(node.schema, "type"), problem), detail: problem });
    this.#isOver ||= hasEnoughErrors(this.errors);
  }

  #stop(path: FieldPath | undefined, problem: string, place: PlacedValue): void {
    this.#refuse(path, place, problem);
    this.#isOver = true;
  }
}

const outOfBudget = "validation failed due to running out of cost budget, no further validation rules will be run";

/** Returns the text of a path; v1.29 writes that of the object itself as `<nil>`. */
function textOf(path: FieldPath | undefined): string {
  return path === undefined ? "<nil>" : String(path);
}

function defaultMessage(source: ValidationRule): string {
  return source.message === "" ? `failed rule: ${ruleText(source)}` : trimSpace(source.message);
}

function brokenRule(
  source: ValidationRule,
  path: FieldPath | undefined,
  { node }: PlacedValue,
  message: string,
): FieldError {
  const field = textOf(path);
  const type = textAt(node.schema, "type");
  switch (source.reason) {
    case "FieldValueForbidden":
      return fieldError.forbidden(field, message);
    case "FieldValueRequired":
      return fieldError.required(field, message);
    case "FieldValueDuplicate":
      return fieldError.duplicate(field, type);
    default:
      return fieldError.invalid(field, type, message);
  }
}
