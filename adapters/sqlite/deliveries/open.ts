import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { chooseDriver, type Database } from '../database.ts'
import { resultCodeOf, resultCodes } from '../failure.ts'
import { makePrivate, pragmaOf, useWriteAheadLog } from '../file.ts'
import { inTransaction } from '../transaction.ts'
import { healthSchema } from './health.ts'

/** `OTED` in ASCII, in the header of every deliveries file. */
const applicationId = 0x4f544544

const schemaVersion = 9

/** What the header of a deliveries file says that this version writes. */
export const deliveriesSchema = { application: applicationId, version: schemaVersion } as const

/** Finished and not delivered. Queries with exactly this condition use a partial index. */
export const isUndelivered = "state NOT IN ('waiting', 'sending', 'delivered')"

/** The states of open deliveries. Queries with exactly this condition use a partial index. */
export const openStates = "(d.state = 'waiting' OR d.state = 'sending')"

/** The status that most receivers answer with. */
export const usualStatus = 200

/** Last answered with another status. Queries with exactly this condition use a partial index. */
export const isUnusualStatus = `last_status <> ${usualStatus}`

/** Due time of a delivery that waits for the end of another one. */
export const held = Number.MAX_SAFE_INTEGER

/** Due time of a delivery that is not sent: its receiver reads it. */
export const pulled = Number.MAX_SAFE_INTEGER - 1

/**
 * Of the deliveries of an endpoint in order, those about one subject wait for each other: all but the first are held. What
 * ends the first one makes the next one due.
 */
const inOrder = `
ALTER TABLE deliveries ADD COLUMN sequence TEXT;
ALTER TABLE deliveries ADD COLUMN in_order INTEGER NOT NULL DEFAULT 0;
CREATE INDEX deliveries_in_order ON deliveries (endpoint, subject, number) WHERE state = 'waiting' AND in_order = 1;
CREATE TRIGGER next_in_order AFTER UPDATE OF state ON deliveries
WHEN old.in_order = 1 AND old.state = 'waiting' AND new.state <> 'waiting' BEGIN
  UPDATE deliveries SET due = created WHERE due = ${held} AND number = (
    SELECT min(number) FROM deliveries INDEXED BY deliveries_in_order
    WHERE state = 'waiting' AND in_order = 1 AND endpoint = old.endpoint AND subject = old.subject
  );
END;
`

/** What operators look for in the log. What failed is looked for by its failure. */
const found = `
DROP INDEX deliveries_of_endpoint;
CREATE INDEX deliveries_of_endpoint ON deliveries (business, endpoint, created);
CREATE INDEX deliveries_of_event ON deliveries (event_id);
CREATE INDEX deliveries_of_type ON deliveries (business, event, created);
CREATE INDEX deliveries_by_failure ON deliveries (business, last_failure, created) WHERE last_failure IS NOT NULL;
CREATE INDEX deliveries_by_status ON deliveries (business, last_status, created) WHERE last_failure = 'status';
`

/** The next record to copy of the journal of the nodes. */
const copied = `
CREATE TABLE copied (only INTEGER PRIMARY KEY CHECK (only = 1), next INTEGER NOT NULL) STRICT;
`

/** The deliveries that receivers read, in order. */
const queues = `
CREATE INDEX deliveries_to_pull ON deliveries (endpoint, number) WHERE due = ${pulled};
`

/** What else operators look for. */
const foundToo = `
DROP INDEX deliveries_by_status;
CREATE INDEX deliveries_by_status ON deliveries (business, last_status, created) WHERE ${isUnusualStatus};
CREATE INDEX deliveries_of_channel ON deliveries (business, channel, created);
DROP INDEX undelivered;
CREATE INDEX undelivered ON deliveries (business, created, number, state) WHERE ${isUndelivered};
`

/** Where the time of attempts went, in milliseconds. */
const phases = `
ALTER TABLE attempts ADD COLUMN queue INTEGER;
ALTER TABLE attempts ADD COLUMN dns INTEGER;
ALTER TABLE attempts ADD COLUMN connect INTEGER;
ALTER TABLE attempts ADD COLUMN tls INTEGER;
ALTER TABLE attempts ADD COLUMN wait INTEGER;
ALTER TABLE attempts ADD COLUMN read INTEGER;
ALTER TABLE attempts ADD COLUMN failed_phase TEXT;
`

/**
 * The attempt of a delivery that was delivered at its first one, as JSON, and the answer to it, which is room for both until
 * then. There are two columns only because SQLite reads the whole of a strict table for each that is added. What is old is
 * found business by business.
 */
const firstAttempts = `
ALTER TABLE deliveries ADD COLUMN first_attempt TEXT;
ALTER TABLE deliveries ADD COLUMN first_answer BLOB;
DROP INDEX deliveries_by_age;
`

/**
 * Bodies, URLs and answers are sealed, because they tell of people and hold tokens; a body is found by a keyed `hash`. They are
 * shared: `uses` counts the columns that name one. `native` is null where it is the body itself. Of the attempts of a delivery,
 * `earlier` were made before it was given all of them again. What waits or is under way has a separate index, which stays small
 * however long the log is; in the file, only tests are `sending`: they are attempted at once.
 */
const schema = `
CREATE TABLE bodies (
  body INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  uses INTEGER NOT NULL,
  bytes BLOB NOT NULL
) STRICT;
CREATE TABLE deliveries (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL,
  due INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  earlier INTEGER NOT NULL DEFAULT 0,
  last_status INTEGER,
  last_failure TEXT,
  created INTEGER NOT NULL,
  body INTEGER NOT NULL REFERENCES bodies,
  native INTEGER REFERENCES bodies,
  endpoint TEXT NOT NULL,
  owner TEXT NOT NULL,
  business INTEGER NOT NULL,
  customer INTEGER,
  channel TEXT NOT NULL,
  field TEXT NOT NULL,
  url BLOB NOT NULL,
  format TEXT NOT NULL,
  standard INTEGER NOT NULL,
  event TEXT NOT NULL,
  event_id TEXT NOT NULL,
  subject TEXT NOT NULL,
  occurred_at TEXT NOT NULL,
  is_test INTEGER NOT NULL,
  is_sandbox INTEGER NOT NULL,
  redelivery_of TEXT
) STRICT;
CREATE INDEX open_deliveries ON deliveries (state, endpoint, due) WHERE state = 'waiting' OR state = 'sending';
CREATE INDEX deliveries_by_age ON deliveries (created);
CREATE INDEX deliveries_of_business ON deliveries (business, created);
CREATE INDEX deliveries_of_customer ON deliveries (customer, created) WHERE customer IS NOT NULL;
CREATE INDEX deliveries_of_endpoint ON deliveries (endpoint, created);
CREATE INDEX deliveries_of_subject ON deliveries (subject, business, created);
CREATE INDEX undelivered ON deliveries (business, created) WHERE ${isUndelivered};
CREATE INDEX redeliveries ON deliveries (redelivery_of) WHERE redelivery_of IS NOT NULL;
CREATE TABLE attempts (
  delivery INTEGER NOT NULL REFERENCES deliveries,
  number INTEGER NOT NULL,
  started INTEGER NOT NULL,
  duration REAL NOT NULL,
  status INTEGER,
  failure TEXT,
  request_headers TEXT NOT NULL,
  response_headers TEXT NOT NULL,
  response_body BLOB NOT NULL,
  is_cut INTEGER NOT NULL,
  UNIQUE (delivery, number)
) STRICT;
CREATE TABLE told (
  endpoint TEXT NOT NULL,
  throttle TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (endpoint, throttle)
) STRICT, WITHOUT ROWID;
CREATE INDEX told_by_age ON told (at);
CREATE TABLE checkpoint (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  position TEXT NOT NULL,
  stream TEXT NOT NULL,
  revision INTEGER NOT NULL,
  id TEXT NOT NULL
) STRICT;
PRAGMA application_id = ${applicationId};
`

/**
 * Deliveries that are waiting in the file and being sent by this process. The table belongs to the connection, so
 * claiming writes nothing to the disk, and after a crash the deliveries wait again. `attempt` is the number of the next
 * attempt.
 */
const claimed = `
PRAGMA temp_store = MEMORY;
CREATE TEMP TABLE claimed (number INTEGER PRIMARY KEY, attempt INTEGER NOT NULL) STRICT;
CREATE TEMP TRIGGER settled AFTER UPDATE OF state ON main.deliveries BEGIN
  DELETE FROM claimed WHERE number = old.number;
END;
`

/** Whether a delivery `d` is claimed: another process, which held the lease before, may have finished it since. */
export const isClaimed = "(d.state = 'waiting' AND d.number IN (SELECT number FROM claimed))"

/** Opens a deliveries file, creating it and its directory if absent (`:memory:` for none); throws for other files. */
export function openDeliveries(file: string): Database {
  const Connection = chooseDriver()
  if (file !== ':memory:') {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    makePrivate(file)
  }
  const database = new Connection(file)
  try {
    // Waiting for a lock blocks the event loop. Only one node sends, so only the end of its last transaction is waited
    // for.
    database.exec('PRAGMA busy_timeout = 1000')
    inTransaction(database, 'DEFERRED', () => refuseOther(database, file))
    if (file !== ':memory:') useWriteAheadLog(database, file)
    for (const pragma of [
      'synchronous = FULL',
      // On macOS a plain fsync leaves the data in the drive's cache; elsewhere this changes nothing.
      'fullfsync = ON',
      'cache_size = -32768',
      'foreign_keys = OFF',
      // Bodies may contain personal data: deleted data is overwritten.
      'secure_delete = ON',
    ]) {
      database.exec(`PRAGMA ${pragma}`)
    }
    inTransaction(database, 'IMMEDIATE', () => bringUp(database, file))
    database.exec(claimed)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Migrates a file to the current schema. */
function bringUp(database: Database, file: string): void {
  const version = refuseOther(database, file)
  if (version < 1) database.exec(schema)
  if (version < 2) database.exec(inOrder)
  if (version < 3) database.exec(found)
  if (version < 4) database.exec(copied)
  if (version < 5) database.exec(healthSchema)
  if (version < 6) database.exec(queues)
  if (version < 7) database.exec(foundToo)
  if (version < 8) database.exec(phases)
  if (version < schemaVersion) database.exec(`${firstAttempts} PRAGMA user_version = ${schemaVersion}`)
}

/** Throws if a file is not a deliveries file; returns the version of its schema, 0 if it has never been written. */
export function refuseOther(database: Database, file: string): number {
  const refuse = (cause?: unknown) => new Error(`${file} does not hold deliveries of this engine.`, { cause })
  try {
    const { count } = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number }
    const [id, version] = [pragmaOf(database, 'application_id'), pragmaOf(database, 'user_version')]
    if (count === 0 && id === 0 && version === 0) return 0
    if (id === applicationId && version >= 1 && version <= schemaVersion) return version
  } catch (error) {
    throw resultCodeOf(error) === resultCodes.notADatabase ? refuse(error) : error
  }
  throw refuse()
}
