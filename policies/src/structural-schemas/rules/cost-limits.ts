/** The limit of the cost of one evaluation. */
export const perCallLimit = 1_000_000;

/** The limit of the cost of all evaluations for one object. */
export const costBudgetOfObject = 10_000_000;
