import { type ControllerName, controllerAliases, controllerNames } from "./controller-names.js";

/**
 * What is wrong with a value of `--controllers`, one sentence per problem; none when it can be used. The syntax is that
 * of kube-controller-manager: `*` for all that are on by default, `foo` turns foo on, `-foo` turns it off.
 */
export function checkControllerSelection(selection: readonly string[]): readonly string[] {
  const problems: string[] = [];
  for (const item of selection) {
    if (item !== "*" && canonicalName(withoutMinus(item)) === undefined) {
      problems.push(
        `${JSON.stringify(withoutMinus(item))} is not in the list of known controllers: ${controllerNames.join(", ")}`,
      );
    }
  }
  return problems;
}

/** The controllers that a checked selection picks, in starting order. The first mention of a name decides. */
export function selectControllers(selection: readonly string[]): readonly ControllerName[] {
  const chosen = new Map<ControllerName, boolean>();
  for (const item of selection) {
    const name = canonicalName(withoutMinus(item));
    if (name !== undefined && !chosen.has(name)) {
      chosen.set(name, !item.startsWith("-"));
    }
  }
  const all = selection.includes("*");
  return controllerNames.filter((name) => chosen.get(name) ?? all);
}

function withoutMinus(item: string): string {
  return item.startsWith("-") ? item.slice(1) : item;
}

function canonicalName(name: string): ControllerName | undefined {
  return controllerNames.find((known) => known === name) ?? controllerAliases.get(name);
}
