export { type KeptItem, SinkClient, type TailItem } from "./sink-client.js";
export { isSinkNamed, periodFlags, type SinkFlagValues, sinkConfigOf, sinkFlags } from "./sink-flags.js";
