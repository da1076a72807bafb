import { type ControllerName, controllerAliases, controllerGroups, controllerNames } from "./controller-names.js";

/**
 * Lists the problems of a value of `--controllers`, one sentence each; none when it can be used. The syntax is that
 * of kube-controller-manager: `*` for all that are on by default, `foo` turns foo on, `-foo` turns it off. Beside single
 * controllers it takes the names in `controllerGroups`.
 */
export function validateControllerSelection(selection: readonly string[]): readonly string[] {
  const known = [...controllerNames, ...controllerGroups.keys()].join(", ");
  return selection
    .filter((item) => item !== "*" && namedBy(withoutMinus(item)).length === 0)
    .map((item) => `${JSON.stringify(withoutMinus(item))} is not in the list of known controllers: ${known}`);
}

/** Returns the controllers that a checked selection picks, in starting order. The first mention of a name decides. */
export function selectControllers(selection: readonly string[]): readonly ControllerName[] {
  const chosen = new Map<ControllerName, boolean>();
  for (const item of selection) {
    for (const name of namedBy(withoutMinus(item))) {
      if (!chosen.has(name)) {
        chosen.set(name, !item.startsWith("-"));
      }
    }
  }
  const all = selection.includes("*");
  return controllerNames.filter((name) => chosen.get(name) ?? all);
}

function withoutMinus(item: string): string {
  return item.startsWith("-") ? item.slice(1) : item;
}

function namedBy(name: string): readonly ControllerName[] {
  const one = controllerNames.find((known) => known === name) ?? controllerAliases.get(name);
  return one === undefined ? (controllerGroups.get(name) ?? []) : [one];
}
