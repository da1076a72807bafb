// The reference of feature gates: which of v1.29's gates do what here, from the table that the server has.
import { knownFeatures } from "@gatehouse/envelopes/features";
import { gateEffectOf } from "../../server/dist/options/feature-gate-effects.js";

/** Returns the page as Markdown. */
export function featureGateReference() {
  const rows = Object.entries(knownFeatures).map(([name, { stage, default: isOn, locked }]) => {
    const state = `${isOn ? "on" : "off"}${locked ? ", locked" : ""}`;
    return `| ${name} | ${stage} | ${state} | ${effectText(gateEffectOf(name))} |`;
  });
  return `# Feature gates

The gates of v1.29 and what they do in \`gatehouse-apiserver\`, when they are on. As in v1.29, an unknown gate is refused, and so
is a locked one that is given another value than its default; a gate whose feature is missing cannot be turned on.

| gate | stage | default | effect |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}

function effectText(effect) {
  if (effect === undefined) {
    return "as its default says";
  }
  if (effect.works !== undefined) {
    return `works: ${effect.works}`;
  }
  return `nothing: ${effect.nothing}`;
}
