import { type ParsedJson, parseJsonInSlices } from "@gatehouse/envelopes/codec";

/** Called between steps of work on something large; what it returns, if anything, is awaited before the next step. */
export type Breathe = () => Promise<void> | undefined;

/** Parses JSON that others have sent, with their turns for other requests in between. Rejects with DecodeError. */
export async function parseBreathing(text: string, breathe: Breathe): Promise<ParsedJson> {
  const steps = parseJsonInSlices(text);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) {
      return step.value;
    }
    await breathe();
  }
}
