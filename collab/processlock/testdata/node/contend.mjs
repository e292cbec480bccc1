// A contender for a SQLite process lock on Node's own SQLite, written from the specification of the lock: the statements
// in their order, busy told by the result code, <path>.holder while the lock is held.
//
// Arguments: the path of the lock. Commands on standard input, one a line, each answered by one line:
//   take     "held", or "refused" with the pid of the record
//   release  "released"
//   check    "true" or "false": whether somebody holds the lock, by an attempt at a shared one
import { DatabaseSync } from "node:sqlite";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { createInterface } from "node:readline";

const path = process.argv[2];
const holder = `${path}.holder`;
let db;

const busy = (error) => [5, 6].includes((error.errcode ?? 0) & 0xff);

function take() {
  const attempt = new DatabaseSync(path);
  try {
    attempt.exec("PRAGMA busy_timeout = 10");
    attempt.exec("PRAGMA journal_mode = MEMORY");
    attempt.exec("PRAGMA locking_mode = EXCLUSIVE");
    attempt.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    attempt.close();
    if (!busy(error)) throw error;
    let pid = "nobody";
    try {
      pid = JSON.parse(readFileSync(holder, "utf8")).pid;
    } catch {}
    return `refused by ${pid}`;
  }
  db = attempt;
  const record = { host: hostname(), pid: process.pid, acquiredAt: Date.now(), nonce: randomUUID() };
  writeFileSync(`${holder}.tmp`, JSON.stringify(record));
  renameSync(`${holder}.tmp`, holder);
  return "held";
}

function release() {
  rmSync(holder, { force: true });
  db.exec("ROLLBACK");
  db.close();
  db = undefined;
  return "released";
}

function check() {
  if (!existsSync(path)) return "false";
  const probe = new DatabaseSync(path, { readOnly: true });
  try {
    probe.prepare("SELECT 1 FROM sqlite_schema").all();
    return "false";
  } catch (error) {
    if (!busy(error)) throw error;
    return "true";
  } finally {
    probe.close();
  }
}

const answers = { take, release, check };
for await (const line of createInterface({ input: process.stdin })) {
  console.log(answers[line]());
}
