export { eventsOfFile, type FileEvent } from "./event-file.js";
