// Measures what the policies of policies/library/audit record of the sample workload, and writes it into their README.
import { fileURLToPath } from "node:url";
import { libraryPolicyFile, recordWorkload, volumeTable, writeVolumeTable } from "./record-workload.js";

const table = await volumeTable(await recordWorkload(fileURLToPath(libraryPolicyFile("full"))));
await writeVolumeTable(table);
process.stdout.write(`${table}\n`);
