import type { MaybePromise } from "../request/handler.js";
import type { AdmissionMetrics, Phase } from "./admission-metrics.js";
import type { AdmissionPlugin } from "./admission-plugin.js";
import type { AdmissionAttributes } from "./attributes.js";

type Admit = Required<Pick<AdmissionPlugin, "name" | "admit">>;
type Validate = Required<Pick<AdmissionPlugin, "name" | "validate">>;

/** Who is asked about one sort of write, in each of the two phases. */
interface Plan {
  readonly mutating: readonly Admit[];
  readonly validating: readonly Validate[];
}

/** The plugins in execution order, in the two phases that a write goes through. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #metrics: AdmissionMetrics | undefined;
  /** Writes are told who has changed what in them. */
  readonly #blames: boolean;
  /** By resource, and there by operation and subresource. What is no longer served takes its plans along. */
  readonly #plans = new WeakMap<object, Map<string, Plan>>();

  constructor(
    plugins: readonly AdmissionPlugin[],
    metrics?: AdmissionMetrics,
    { blames }: { readonly blames: boolean } = { blames: false },
  ) {
    this.#plugins = plugins;
    this.#metrics = metrics;
    this.#blames = blames;
  }

  /** The mutating phase; once more when a plugin asks for it, because the object is no longer what others have seen. */
  mutate(attributes: AdmissionAttributes): MaybePromise<void> {
    const { mutating } = this.#planOf(attributes);
    if (this.#blames) {
      attributes.beginBlame();
    }
    const run = (): MaybePromise<void> =>
      inTurn(mutating, (plugin) => this.#timed(plugin.name, "admit", attributes, () => plugin.admit(attributes)));
    const again = (): MaybePromise<void> => (attributes.reinvocation.begin() ? run() : undefined);
    return this.#timed(undefined, "admit", attributes, () => {
      const first = run();
      return first === undefined ? again() : first.then(again);
    });
  }

  validate(attributes: AdmissionAttributes): MaybePromise<void> {
    const { validating } = this.#planOf(attributes);
    return this.#timed(undefined, "validate", attributes, () =>
      inTurn(validating, (plugin) =>
        this.#timed(plugin.name, "validate", attributes, () => plugin.validate(attributes)),
      ),
    );
  }

  /** Measures one plugin, or a whole phase when none is named. */
  #timed(
    plugin: string | undefined,
    phase: Phase,
    attributes: AdmissionAttributes,
    work: () => MaybePromise<void>,
  ): MaybePromise<void> {
    const metrics = this.#metrics;
    const { operation, blame } = attributes;
    if (metrics === undefined && blame === undefined) {
      return work();
    }
    const before = plugin === undefined || phase === "validate" ? undefined : blame?.snapshot(attributes.object);
    const startedAt = performance.now();
    const end = (isRejected: boolean): void => {
      const ms = performance.now() - startedAt;
      if (plugin !== undefined) {
        metrics?.plugin(plugin, phase, operation, ms / 1000, isRejected);
        blame?.note(`plugin ${plugin}`, phase, ms, before, attributes.object);
        return;
      }
      metrics?.step(phase, operation, ms / 1000, isRejected);
      if (phase === "validate" || isRejected) {
        attributes.endBlame();
      }
    };
    return measured(work, end);
  }

  #planOf(attributes: AdmissionAttributes): Plan {
    const { operation, resource, subresource } = attributes;
    let plans = this.#plans.get(resource);
    if (plans === undefined) {
      plans = new Map();
      this.#plans.set(resource, plans);
    }
    const sort = `${operation}/${subresource}`;
    let plan = plans.get(sort);
    if (plan === undefined) {
      const concerned = this.#plugins.filter((plugin) => plugin.concerns?.(attributes) ?? true);
      plan = {
        mutating: concerned.filter((plugin): plugin is AdmissionPlugin & Admit => plugin.admit !== undefined),
        validating: concerned.filter((plugin): plugin is AdmissionPlugin & Validate => plugin.validate !== undefined),
      };
      plans.set(sort, plan);
    }
    return plan;
  }
}

/** Does the work and tells how it has ended. */
function measured(work: () => MaybePromise<void>, end: (isRejected: boolean) => void): MaybePromise<void> {
  let outcome: MaybePromise<void>;
  try {
    outcome = work();
  } catch (error) {
    end(true);
    throw error;
  }
  if (outcome === undefined) {
    end(false);
    return undefined;
  }
  return outcome.then(
    () => end(false),
    (error: unknown) => {
      end(true);
      throw error;
    },
  );
}

/** Asks one plugin after the other; waits only for those that have something to wait for. */
function inTurn<P>(plugins: readonly P[], ask: (plugin: P) => MaybePromise<void>, from = 0): MaybePromise<void> {
  for (let index = from; index < plugins.length; index++) {
    const answer = ask(plugins[index] as P);
    if (answer !== undefined) {
      return answer.then(() => inTurn(plugins, ask, index + 1));
    }
  }
  return undefined;
}
