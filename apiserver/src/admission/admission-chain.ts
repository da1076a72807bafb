import type { MaybePromise } from "../request/handler.js";
import { type AdmissionMetrics, type Observe, type Phase, unmeasured } from "./admission-metrics.js";
import type { AdmissionPlugin } from "./admission-plugin.js";
import type { AdmissionAttributes, Operation } from "./attributes.js";

/** One plugin in one phase. */
interface Asked {
  readonly name: string;
  readonly ask: (attributes: AdmissionAttributes) => MaybePromise<void>;
  readonly observe: Observe;
}

/** The plugins that are asked about one sort of write in one phase, in execution order. */
interface PhasePlan {
  readonly phase: Phase;
  readonly plugins: readonly Asked[];
  /** Called with the seconds that all of them took together. */
  readonly observe: Observe;
}

interface Plan {
  readonly mutating: PhasePlan;
  readonly validating: PhasePlan;
}

/** The plugins in execution order, in the two phases that a write goes through. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #metrics: AdmissionMetrics;
  /** True if the changes of each plugin are noted on the write (`--admission-blame`). */
  readonly #blames: boolean;
  /**
   * Plans by resource, then by operation and subresource. Weak: a resource that is no longer served drops its plans.
   */
  readonly #plans = new WeakMap<object, Map<string, Plan>>();

  constructor(
    plugins: readonly AdmissionPlugin[],
    metrics: AdmissionMetrics = unmeasured,
    { blames }: { readonly blames: boolean } = { blames: false },
  ) {
    this.#plugins = plugins;
    this.#metrics = metrics;
    this.#blames = blames;
  }

  /**
   * Runs the mutating phase, and once more when a plugin asks for it because the object has changed since others saw
   * it.
   */
  mutate(attributes: AdmissionAttributes): MaybePromise<void> {
    const { mutating } = this.#planOf(attributes);
    if (this.#blames) {
      attributes.beginBlame();
    }
    const again = (): MaybePromise<void> =>
      attributes.reinvocation.begin() ? askAll(mutating, attributes) : undefined;
    return measured(
      () => {
        const first = askAll(mutating, attributes);
        return first === undefined ? again() : first.then(again);
      },
      (ms, isRejected) => {
        mutating.observe(ms / 1000, isRejected);
        if (isRejected) {
          attributes.endBlame();
        }
      },
    );
  }

  validate(attributes: AdmissionAttributes): MaybePromise<void> {
    const { validating } = this.#planOf(attributes);
    return measured(
      () => askAll(validating, attributes),
      (ms, isRejected) => {
        validating.observe(ms / 1000, isRejected);
        attributes.endBlame();
      },
    );
  }

  #planOf(attributes: AdmissionAttributes): Plan {
    const { operation, resource, subresource } = attributes;
    let plans = this.#plans.get(resource);
    if (plans === undefined) {
      plans = new Map();
      this.#plans.set(resource, plans);
    }
    const sort = subresource === "" ? operation : `${operation}/${subresource}`;
    let plan = plans.get(sort);
    if (plan === undefined) {
      const concerned = this.#plugins.filter((plugin) => plugin.concerns?.(attributes) ?? true);
      plan = {
        mutating: this.#phasePlan("admit", operation, concerned),
        validating: this.#phasePlan("validate", operation, concerned),
      };
      plans.set(sort, plan);
    }
    return plan;
  }

  #phasePlan(phase: Phase, operation: Operation, concerned: readonly AdmissionPlugin[]): PhasePlan {
    const plugins = concerned.flatMap((plugin): readonly Asked[] => {
      const { name } = plugin;
      return plugin[phase] === undefined
        ? []
        : [
            {
              name,
              ask: (attributes) => plugin[phase]?.(attributes),
              observe: this.#metrics.plugin(name, phase, operation),
            },
          ];
    });
    return { phase, plugins, observe: this.#metrics.step(phase, operation) };
  }
}

/** Asks one plugin after the other; waits only for those that have something to wait for. */
function askAll(plan: PhasePlan, attributes: AdmissionAttributes, from = 0): MaybePromise<void> {
  for (let index = from; index < plan.plugins.length; index++) {
    const answer = ask(plan.plugins[index] as Asked, plan.phase, attributes);
    if (answer !== undefined) {
      return answer.then(() => askAll(plan, attributes, index + 1));
    }
  }
  return undefined;
}

function ask(asked: Asked, phase: Phase, attributes: AdmissionAttributes): MaybePromise<void> {
  const { blame } = attributes;
  const before = phase === "validate" ? undefined : blame?.snapshot(attributes.object);
  return measured(
    () => asked.ask(attributes),
    (ms, isRejected) => {
      asked.observe(ms / 1000, isRejected);
      blame?.note(`plugin ${asked.name}`, phase, ms, before, attributes.object);
    },
  );
}

/** Does the work and tells how long it has taken and how it has ended. */
function measured(work: () => MaybePromise<void>, end: (ms: number, isRejected: boolean) => void): MaybePromise<void> {
  const startedAt = performance.now();
  let outcome: MaybePromise<void>;
  try {
    outcome = work();
  } catch (error) {
    end(performance.now() - startedAt, true);
    throw error;
  }
  if (outcome === undefined) {
    end(performance.now() - startedAt, false);
    return undefined;
  }
  return outcome.then(
    () => end(performance.now() - startedAt, false),
    (error: unknown) => {
      end(performance.now() - startedAt, true);
      throw error;
    },
  );
}
