import type { AdmissionAttributes } from "./attributes.js";

/**
 * A gate that every write passes, those of controllers and dry runs, too. Plugins are asked one after the other, in the
 * order of the chain, and again when an update has lost a race: they act on nothing but the attributes. To admit is to
 * return; to refuse is to throw a StatusError; to fail is to throw anything else, and then the write fails with 500.
 */
export interface AdmissionPlugin {
  readonly name: string;
  /** Mutating phase. */
  admit?(attributes: AdmissionAttributes): void | Promise<void>;
  /** Validating phase, after the object is complete. */
  validate?(attributes: AdmissionAttributes): void | Promise<void>;
}

/** The plugins in execution order, in the two phases that a write goes through. */
export class AdmissionChain {
  readonly #mutating: readonly Required<Pick<AdmissionPlugin, "admit">>[];
  readonly #validating: readonly Required<Pick<AdmissionPlugin, "validate">>[];

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#mutating = plugins.filter(
      (plugin): plugin is AdmissionPlugin & { admit: NonNullable<AdmissionPlugin["admit"]> } =>
        plugin.admit !== undefined,
    );
    this.#validating = plugins.filter(
      (plugin): plugin is AdmissionPlugin & { validate: NonNullable<AdmissionPlugin["validate"]> } =>
        plugin.validate !== undefined,
    );
  }

  async mutate(attributes: AdmissionAttributes): Promise<void> {
    for (const plugin of this.#mutating) {
      await plugin.admit(attributes);
    }
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    for (const plugin of this.#validating) {
      await plugin.validate(attributes);
    }
  }
}
