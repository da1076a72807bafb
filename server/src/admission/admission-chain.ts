import type { MaybePromise } from "../request/handler.js";
import type { AdmissionPlugin } from "./admission-plugin.js";
import type { AdmissionAttributes } from "./attributes.js";

type Admit = Required<Pick<AdmissionPlugin, "admit">>;
type Validate = Required<Pick<AdmissionPlugin, "validate">>;

/** Who is asked about one sort of write, in each of the two phases. */
interface Plan {
  readonly mutating: readonly Admit[];
  readonly validating: readonly Validate[];
}

/** The plugins in execution order, in the two phases that a write goes through. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];
  /** By resource, and there by operation and subresource. What is no longer served takes its plans along. */
  readonly #plans = new WeakMap<object, Map<string, Plan>>();

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
  }

  /** The mutating phase; once more when a plugin asks for it, because the object is no longer what others have seen. */
  mutate(attributes: AdmissionAttributes): MaybePromise<void> {
    const { mutating } = this.#planOf(attributes);
    const first = inTurn(mutating, (plugin) => plugin.admit(attributes));
    const again = (): MaybePromise<void> =>
      attributes.reinvocation.begin() ? inTurn(mutating, (plugin) => plugin.admit(attributes)) : undefined;
    return first === undefined ? again() : first.then(again);
  }

  validate(attributes: AdmissionAttributes): MaybePromise<void> {
    return inTurn(this.#planOf(attributes).validating, (plugin) => plugin.validate(attributes));
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
