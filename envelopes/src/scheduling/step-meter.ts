/** Measures work in units of its own, such as values or comparisons, and tells where one step ends. */
export class StepMeter {
  readonly #unitsPerStep: number;
  #units = 0;

  /** Prepares steps of so many units, which take a few milliseconds at most. */
  constructor(unitsPerStep: number) {
    this.#unitsPerStep = unitsPerStep;
  }

  /** Counts work, one unit by default. Returns true if a step ends with it: then the work yields. */
  count(units = 1): boolean {
    this.#units += units;
    if (this.#units < this.#unitsPerStep) {
      return false;
    }
    this.#units = 0;
    return true;
  }
}
