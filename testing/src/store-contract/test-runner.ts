import { describe, it } from "node:test";

/** The functions of a test runner that suites and tests are made with: of node:test, vitest, jest or another. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => Promise<void>) => unknown;
}

/** Node's own test runner. */
export const nodeTestRunner: TestRunner = {
  describe: (name, body) => describe(name, body),
  it: (name, body) => it(name, body),
};
