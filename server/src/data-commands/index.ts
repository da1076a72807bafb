export { backupCommand } from "./backup-command.js";
export { checkCommand } from "./check-command.js";
export { migrateCommand } from "./migrate-command.js";
export { restoreCommand } from "./restore-command.js";
