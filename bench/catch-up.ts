import { join } from 'node:path'
import { createParts } from '../adapters/main.ts'
import { createSqliteStore } from '../adapters/sqlite/facts/index.ts'
import type { ReadModel, Storage } from '../engine/index.ts'
import { type Case, measured, type Prepared, type Settings, type Topic } from './harness.ts'
import { buildByHand, modelNamed } from './models.ts'
import { removeDatabase, writeParcels } from './stores.ts'

/** An empty read model. */
export const catchUp: Topic = {
  name: 'catch-up',
  summary:
    'a read model catches up from the beginning, against its feed with nothing done, and against the same by hand',
  unit: 'event',
  prepare,
}

const parcels = 20_000

async function prepare({ scale, directory, progress }: Settings): Promise<Prepared> {
  progress('writing the store')
  const file = join(directory, 'catch-up.db')
  const model = modelNamed('identifiers')
  const counts = await writeParcels(file, Math.round(parcels * scale))
  const events = counts.of(model.category)
  const store = createSqliteStore({ file, clock: Date.now })
  const timed = (work: (table: string) => Promise<number> | number): Case['run'] => {
    const table = join(directory, 'catch-up-models.db')
    return async () => {
      const sample = await measured(events, async () => {
        const count = await work(table)
        if (count !== events) throw new Error(`There were ${count} events and not ${events}.`)
      })
      removeDatabase(table)
      return sample
    }
  }
  const [feed, byHand] = ['readAll of its category, nothing done', 'query, JSON.parse and insertion by hand']
  const cases = [
    { name: 'the read model', reference: [feed, byHand], run: timed((table) => caughtUp(store, model, table)) },
    { name: feed, run: timed(() => counted(store, model)) },
    { name: byHand, run: timed((table) => buildByHand(model, file, table)) },
  ]
  const close = async () => {
    await store.close()
    removeDatabase(file)
  }
  return { cases, notes: [noteOn(model, counts.all, events)], close }
}

/** Builds a model as the engine does, in its own file; returns its number of rows. */
async function caughtUp(store: Storage, model: ReadModel, file: string): Promise<number> {
  const { models } = createParts({ store, modelsFile: { file, name: 'bench' } })
  await models.rebuild(model, new AbortController().signal)
  const count = await models.count(model)
  await models.close()
  return count
}

/** Reads the feed as the engine reads it. */
async function counted(store: Storage, { category }: ReadModel): Promise<number> {
  let count = 0
  for await (const _ of createParts({ store }).store.readAll(undefined, { category })) count++
  return count
}

function noteOn({ name, category }: ReadModel, all: number, events: number): string {
  const [total, own] = [all, events].map((count) => count.toLocaleString('en'))
  return (
    `The store has ${total} events. Counted are the ${own} of the category ${category}, which the model ${name} follows ` +
    'from; the others are passed by. By hand, the rows are those of the model too, in a table of the same form and a ' +
    'file with the same pragmas, a transaction for each 500.'
  )
}
