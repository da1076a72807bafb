export { backupCommand } from "./backup-command.js";
export { checkDataCommand } from "./check-data-command.js";
export { migrateCommand } from "./migrate-command.js";
export { restoreCommand } from "./restore-command.js";
