// Asks the oracle, v1.29's own CEL environment, about expressions and records its answers, which tests replay.
// For developers: the oracle must have been built (../shared/oracle); nothing in the project needs it.
// Usage: node policies/src/cel/recorded/record.mjs QUESTIONS ANSWERS
// QUESTIONS: JSON lines of {"expr", "vars", "types"}; in other lines the whole line is the expression.
// ANSWERS: JSON lines of {"question": {...}, "answer": {...}} in the same order; a repeated question is left out.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const oracle = process.env["GATEHOUSE_ORACLE_CEL"] ?? join(homedir(), ".cache/gatehouse-oracle/cel");
const [questionsFile, answersFile] = process.argv.slice(2);
if (questionsFile === undefined || answersFile === undefined) {
  console.error("Usage: node record.mjs QUESTIONS ANSWERS");
  process.exit(2);
}

const lines = readFileSync(questionsFile, "utf8").split("\n");
const questions = [...new Set(lines.filter((line) => line !== "").map((line) => JSON.stringify(toQuestion(line))))];
const answers = await ask(questions);
if (answers.length !== questions.length) {
  console.error(`${questions.length} questions, but ${answers.length} answers`);
  process.exit(1);
}
const recorded = questions.map((question, index) => `{"question":${question},"answer":${answers[index]}}\n`);
writeFileSync(answersFile, recorded.join(""));
console.log(`${questions.length} answers in ${answersFile}`);

function toQuestion(line) {
  if (!line.startsWith("{")) return { expr: line };
  try {
    const question = JSON.parse(line);
    return typeof question.expr === "string" ? question : { expr: line };
  } catch {
    return { expr: line };
  }
}

/** Returns the lines that the oracle answers. */
function ask(lines) {
  return new Promise((resolve, reject) => {
    const child = spawn(oracle, { stdio: ["pipe", "pipe", "inherit"] });
    const chunks = [];
    child.once("error", reject);
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.once("close", () => resolve(Buffer.concat(chunks).toString("utf8").split("\n").filter(Boolean)));
    child.stdin.end(`${lines.join("\n")}\n`);
  });
}
