import { createHash } from 'node:crypto'
import { appendFileSync, createReadStream, createWriteStream, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadModel, Storage } from '../../../engine/index.ts'
import { chooseDriver, type Database } from '../database.ts'
import { lookInto, schemaOf } from '../schemas.ts'
import { inTransaction } from '../transaction.ts'
import { stands } from './evidence.ts'
import { createModels, hasHistory, modelsSchema } from './open.ts'
import { columnListOf, indexesOf, tableDefinitionOf, tableOf } from './sql.ts'

/** The read models of a store in a file. */
interface ModelsOf {
  readonly file: string
  /** The name of the store in the file. */
  readonly name: string
  readonly models: readonly ReadModel[]
}

/** What a copy holds. */
interface CopiedModels {
  readonly models: number
  readonly rows: number
  /** Position of the last applied event; absent if there is none. */
  readonly position?: string
}

/** A table that serves, as `generations` has it. */
interface Serving {
  readonly generation: number
  readonly checkpoint: string | null
  readonly stream: string | null
  readonly revision: number | null
  readonly id: string | null
  readonly position: string | null
  readonly history: string | null
}

/** What ends a copy: it is no database until this is cut off, and tells whether the rest is whole. */
const sealOf = (sum: string) => `\notep-models ${sum}\n`
const sealLength = sealOf('0'.repeat(64)).length

/**
 * Copies the tables that serve to an empty file, all as of one moment, while a server goes on. Snapshots and answers are
 * left out: they are made again, and those of people who are erased meanwhile must not lie about.
 */
export async function copyModels(from: ModelsOf, target: string): Promise<CopiedModels> {
  refuseOtherFile(from.file, lookInto(from.file, isOfThisEngine))
  const database = new (chooseDriver())(target)
  try {
    // Whatever is left of a copy that did not end is thrown away.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF')
    createModels(database)
    database.prepare('ATTACH ? AS node').run(from.file)
    return inTransaction(database, 'DEFERRED', () => copyTables(database, from))
  } finally {
    database.close()
  }
}

function isOfThisEngine(database: Database): boolean {
  const { application, version } = schemaOf(database)
  return application === modelsSchema.application && version === modelsSchema.version && hasHistory(database)
}

function refuseOtherFile(file: string, isOurs: boolean | undefined) {
  if (isOurs !== true) throw new Error(`${file} does not hold read models of this version of the engine.`)
}

function copyTables(database: Database, { name, models }: ModelsOf): CopiedModels {
  const positions: string[] = []
  let rows = 0
  for (const model of models) {
    const serving = servingIn(database, 'node', name, model)
    if (serving === undefined) throw new Error(`The read model ${model.name} of this node is still being built.`)
    copyTable(database, model, serving.generation)
    keepGeneration(database, name, model, serving)
    rows += countIn(database, model, serving.generation)
    if (serving.position !== null) positions.push(serving.position)
  }
  const position = positions.sort().at(-1)
  return { models: models.length, rows, ...(position === undefined ? {} : { position }) }
}

function servingIn(database: Database, place: 'node' | 'main', store: string, { name, version }: ReadModel) {
  const select = `SELECT generation, checkpoint, stream, revision, id, position, history FROM ${place}.generations
    WHERE store = ? AND model = ? AND version = ? AND serves = 1 ORDER BY generation DESC LIMIT 1`
  return database.prepare(select).get(store, name, version) as Serving | undefined
}

/** In order of the key, and then the indexes: as fast as the disk. */
function copyTable(database: Database, model: ReadModel, generation: number) {
  const [table, columns] = [tableOf(model, generation), columnListOf(model)]
  database.exec(tableDefinitionOf(model, generation))
  database.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM node.${table}`)
  database.exec(indexesOf(model, generation))
}

function keepGeneration(database: Database, store: string, { name, version }: ReadModel, serving: Serving) {
  const { generation, checkpoint, stream, revision, id, position, history } = serving
  database
    .prepare(
      `INSERT INTO main.generations (generation, store, model, version, serves, checkpoint, stream, revision, id, position, history)
       VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?)`,
    )
    .run(generation, store, name, version, checkpoint, stream, revision, id, position, history)
}

function countIn(database: Database, model: ReadModel, generation: number): number {
  const counted = database.prepare(`SELECT count(*) AS count FROM main.${tableOf(model, generation)}`).get()
  return (counted as { readonly count: number }).count
}

/** Closes a copy with its checksum. */
export async function sealCopy(file: string): Promise<void> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  appendFileSync(file, sealOf(hash.digest('hex')))
}

/** Writes what is in a sealed copy to a file; throws if it is none, or not whole. */
export async function unsealCopy(copy: string, target: string): Promise<void> {
  const size = statSync(copy).size - sealLength
  const seal = size < 0 ? '' : await tailOf(copy, size)
  if (!/^\notep-models [0-9a-f]{64}\n$/.test(seal))
    throw new Error(`${copy} is not a copy of read models, or its end is missing.`)
  const hash = createHash('sha256')
  const hashed = new Transform({
    transform: (chunk, _, done) => {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(createReadStream(copy, { end: size - 1 }), hashed, createWriteStream(target))
  if (seal !== sealOf(hash.digest('hex'))) throw new Error(`${copy} is damaged.`)
}

async function tailOf(file: string, from: number): Promise<string> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sealLength), 0, sealLength, from)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Proves that an unsealed copy is of the history in a store and of these models, and names its tables after the store. */
export async function adoptCopy(
  { file, name, models }: ModelsOf,
  store: Pick<Storage, 'read' | 'identity'>,
): Promise<void> {
  refuseOtherFile('The copy', lookInto(file, isOfThisEngine))
  const history = await store.identity?.()
  const database = new (chooseDriver())(file)
  try {
    database.prepare('UPDATE generations SET store = ?').run(name)
    for (const model of models) {
      const serving = servingIn(database, 'main', name, model)
      if (serving === undefined)
        throw new Error(`The copy has no read model ${model.name} of version ${model.version}: another engine made it.`)
      await refuseOtherHistory(serving, store, history)
    }
  } finally {
    database.close()
  }
}

/** What of a copy is beyond the end of the store is looked at when it is opened, as for a node that starts again. */
async function refuseOtherHistory(
  { stream, revision, id, position, history }: Serving,
  store: Pick<Storage, 'read'>,
  expected: string | undefined,
): Promise<void> {
  if (expected !== undefined && history !== null && history !== expected)
    throw new Error(`The copy is of the history ${history}, and the store has the history ${expected}.`)
  if (stream === null || revision === null || id === null || position === null) return
  if (!(await stands(store, { stream, revision, id, position })))
    throw new Error(`The copy is of another history: the store has not the event that it has at ${position}.`)
}
