export { backupCommand } from "./backup-command.js";
export { checkCommand } from "./check-command.js";
export { restoreCommand } from "./restore-command.js";
