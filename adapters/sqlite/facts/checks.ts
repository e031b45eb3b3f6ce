import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Check, trouble } from '../../node/checks.ts'
import type { Database } from '../database.ts'
import { historyIn } from './history.ts'
import { openToRead, versionOf } from './open.ts'

/** The checks of the file of a store, which change nothing in it. */
export function fileChecks(file: string): readonly Check[] {
  const on = (look: (database: Database) => string) => async () => withFile(file, look)
  return [
    { name: 'file', run: on(() => `${file} is an event store`) },
    { name: 'writable', needs: ['file'], run: on((database) => writable(database, file)) },
    { name: 'schema', needs: ['file'], run: on((database) => schemaOf(database, file)) },
    { name: 'history', needs: ['schema'], run: on((database) => `its id is ${historyIn(database).id}`) },
  ]
}

function withFile(file: string, look: (database: Database) => string): string {
  if (!existsSync(file))
    throw trouble(
      `there is no file ${file}`,
      'Name the right one with --data-dir or --store; otep serve creates a new one.',
    )
  const database = openToRead(file)
  try {
    return look(database)
  } finally {
    database.close()
  }
}

function writable(database: Database, file: string): string {
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
    accessSync(dirname(file), constants.W_OK)
  } catch {
    throw trouble(
      `this user may not write ${file} and the files beside it`,
      'Give the user of the server the file and its directory.',
    )
  }
  database.exec('PRAGMA query_only = OFF; BEGIN IMMEDIATE; ROLLBACK')
  return 'takes writes'
}

function schemaOf(database: Database, file: string): string {
  const version = versionOf(database, file)
  if (version < 2)
    throw trouble(
      `the schema is version ${version}, of an earlier engine`,
      'Start otep serve once, which brings it up.',
    )
  return `version ${version}`
}
