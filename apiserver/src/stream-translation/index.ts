export {
  asksForStreamClose,
  type CommandStreams,
  type StreamTranslation,
  translateStreams,
} from "./translate-streams.js";
