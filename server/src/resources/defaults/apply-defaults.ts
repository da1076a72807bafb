import type { JsonObject } from "@gatehouse/envelopes";
export function applyDefaults(_g: string, _v: string, _k: string, _o: JsonObject): void {}
