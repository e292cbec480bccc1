// A contender for the lease table that is not written in Go: it takes, renews and releases leases by compare-and-swap as the
// format says, and obeys a line at a time.
//
//   node contender.mjs <database> <key>
//
//   acquire         take the lease if it is free or its holder is dead; answers "held <generation>" or "refused by <pid>"
//   steal           take it whoever holds it
//   renew | release write over the revision this process wrote last; answers "ok <revision>" or "conflict"
//   raise <n>       raise the revision n times over whatever others write; answers the revisions it wrote
//   show            answers the row as JSON
import { DatabaseSync } from "node:sqlite";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { createInterface } from "node:readline";

const [path, key] = process.argv.slice(2);
const db = new DatabaseSync(path);
db.exec("PRAGMA busy_timeout = 5000");
db.exec("PRAGMA journal_mode = WAL");

const startTime = (pid) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : Number(fields[19]);
  } catch {
    return undefined;
  }
};
const bootId = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
const self = { host: hostname(), bootId, pid: process.pid, startTime: startTime(process.pid) };

const isDead = (holder) =>
  holder.host === self.host && (holder.bootId !== bootId || startTime(holder.pid) !== holder.startTime);

const load = () => {
  const row = db.prepare("SELECT * FROM lease_record WHERE key = ?").get(key);
  return row && { ...row, holder: row.holder === null ? null : JSON.parse(row.holder) };
};

// save writes over exactly the expected revision, or where there is no record.
const save = (r, expected) => {
  db.exec("BEGIN IMMEDIATE");
  try {
    const stored = db.prepare("SELECT revision FROM lease_record WHERE key = ?").get(key)?.revision;
    if (stored !== expected) {
      db.exec("ROLLBACK");
      return false;
    }
    db.prepare(
      `INSERT INTO lease_record (key, generation, revision, holder, holder_id, renewed_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET generation = excluded.generation, revision = excluded.revision,
         holder = excluded.holder, holder_id = excluded.holder_id, renewed_at = excluded.renewed_at`
    ).run(key, r.generation, r.revision, r.holder && JSON.stringify(r.holder), r.holder_id, Date.now());
    db.exec("COMMIT");
    return true;
  } catch (error) {
    try {
      db.exec("ROLLBACK");
    } catch {}
    throw error;
  }
};

let mine;
const take = (force) => {
  const stored = load();
  if (stored?.holder && !force && !isDead(stored.holder)) return `refused by ${stored.holder.pid}`;
  const next = {
    generation: (stored?.generation ?? 0) + 1,
    revision: (stored?.revision ?? 0) + 1,
    holder: self,
    holder_id: randomUUID()
  };
  if (!save(next, stored?.revision)) return take(force);
  mine = next;
  return `held ${next.generation}`;
};
const write = (next) => {
  if (!save(next, mine.revision)) return "conflict";
  mine = next;
  return `ok ${next.revision}`;
};
const raise = (n) => {
  const wrote = [];
  while (wrote.length < n) {
    const stored = load();
    const next = { ...stored, revision: stored.revision + 1 };
    if (save(next, stored.revision)) wrote.push(next.revision);
  }
  return wrote.join(" ");
};

console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  const [word, argument] = line.split(" ");
  const answer = {
    acquire: () => take(false),
    steal: () => take(true),
    renew: () => write({ ...mine, revision: mine.revision + 1 }),
    release: () => write({ ...mine, revision: mine.revision + 1, holder: null, holder_id: null }),
    raise: () => raise(Number(argument)),
    show: () => JSON.stringify(load())
  }[word];
  console.log(answer ? answer() : `unknown command ${line}`);
}
