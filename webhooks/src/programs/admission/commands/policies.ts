import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { defineFlags } from "@gatehouse/component-base/flags";
import { problemAt } from "@gatehouse/component-base/problems";
import { encodeYaml } from "@gatehouse/envelopes/codec";
import { loadHooks } from "../../../toolkit/config/load-hooks.js";
import { isPolicyHook, type PolicyAction, policyObjects } from "../../../toolkit/expressions/print-policy.js";

const actions: readonly PolicyAction[] = ["Deny", "Warn", "Audit"];

const flags = defineFlags({
  actions: {
    type: "stringList",
    default: ["Deny"],
    group: "Policies",
    help: "`actions` of the bindings about what is denied: Deny, Warn, Audit. Deny and Warn exclude each other.",
  },
});

/** The command `gatehouse-admission policies MODULE`, which prints hooks as policies that a server evaluates itself. */
export const policiesCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse-admission policies",
      operands: ["MODULE"],
      summary:
        "Prints the hooks of a module that policyHook() has made, as ValidatingAdmissionPolicies with their bindings.",
      flags,
    };
    const line = parseArguments(form, argv, io);
    const [module] = line?.operands ?? [];
    if (line === undefined || module === undefined) {
      return 0;
    }
    const chosen = actionsOf(line.values.actions);
    const { hooks } = await loadHooks({ modules: [module] });
    const printed = hooks.filter(isPolicyHook);
    if (printed.length === 0) {
      throw new ConfigurationError(module, [problemAt("hooks", "none of them is made by policyHook()")]);
    }
    for (const { name } of hooks.filter((hook) => !isPolicyHook(hook))) {
      io.printError(`${module}: ${name} is not printed: its handler is a function, not made by policyHook()`);
    }
    const objects = printed.flatMap((hook) => policyObjects(hook, chosen));
    io.print(
      objects
        .map((object) => encodeYaml(object))
        .join("---\n")
        .trimEnd(),
    );
    return 0;
  },
};

function actionsOf(names: readonly string[]): readonly PolicyAction[] {
  const refuse = (text: string): ConfigurationError => new ConfigurationError("flags", [problemAt("--actions", text)]);
  const chosen = names.map((name) => {
    const action = actions.find((known) => known === name);
    if (action === undefined) {
      throw refuse(`${JSON.stringify(name)} is none of ${actions.join(", ")}`);
    }
    return action;
  });
  if (chosen.length === 0 || new Set(chosen).size < chosen.length) {
    throw refuse("must name at least one action, and each once");
  }
  if (chosen.includes("Deny") && chosen.includes("Warn")) {
    throw refuse("must not name both Deny and Warn: a denial is a warning already");
  }
  return chosen;
}
