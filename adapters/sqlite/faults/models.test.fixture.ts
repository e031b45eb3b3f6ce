import { join } from 'node:path'
import { createMemoryStore, type EventStore, type ReadModel } from '../../../engine/index.ts'
import type { NodeModels } from '../../node/models.ts'
import { clock } from '../facts/events.test.fixture.ts'
import { createReadModels } from '../models/index.ts'
import { numbered } from './facts.test.fixture.ts'
import type { Script, Step } from './script.test.fixture.ts'

/** A row for each event of an order, and the last event of each order: two models over the same events. */
const models: readonly ReadModel[] = [
  {
    name: 'all',
    version: 1,
    category: 'order',
    columns: { id: 'text', stream: 'text' },
    key: ['id'],
    indexes: [['stream']],
    rows: ({ id, stream }) => [{ id, stream }],
  },
  {
    name: 'last',
    version: 1,
    category: 'order',
    columns: { stream: 'text', revision: 'integer' },
    key: ['stream'],
    indexes: [],
    rows: ({ stream, revision }) => [{ stream, revision }],
  },
]

const [all, last] = models as readonly [ReadModel, ReadModel]

interface Opened {
  readonly store: EventStore
  readonly file: string
  models: NodeModels
}

const fileName = 'models.db'

function on(store: EventStore, file: string): NodeModels {
  return createReadModels({ store, models, file, name: 'a' })
}

/** The store has no faults: every lookup is to agree with what it holds at that step. */
const appended = (number: number, stream: 'order-1' | 'order-2' | 'tracking-a'): Step<Opened> => ({
  name: `append ${number}`,
  run: ({ store }) => store.append(stream, [numbered(number)], 'any'),
})

const rows: Step<Opened> = {
  name: 'look rows up',
  isRead: true,
  run: ({ models }) => models.rows(all, { stream: 'order-1' }),
}

const lists: Step<Opened> = {
  name: 'page and count',
  isRead: true,
  run: async ({ models }) => [
    await models.page(last, { limit: 1, offset: 0 }),
    await models.counts(all, 'stream'),
    await models.count(last),
  ],
}

/** Building, following, looking up, rebuilding and reopening of read models. */
export const modelsScript: Script<Opened> = {
  file: fileName,
  open: (directory) => {
    const store = createMemoryStore(clock)
    const file = join(directory, fileName)
    return { store, file, models: on(store, file) }
  },
  close: ({ models }) => models.close(),
  content: async (directory, { store }) => {
    const reopened = on(store, join(directory, fileName))
    const rows = [await reopened.rows(all, {}), await reopened.rows(last, {})]
    await reopened.close()
    return rows
  },
  steps: [
    appended(1, 'order-1'),
    rows,
    lists,
    appended(2, 'order-1'),
    appended(3, 'order-2'),
    rows,
    appended(4, 'tracking-a'),
    lists,
    { name: 'rebuild', isRead: true, run: ({ models }) => models.rebuild(all, new AbortController().signal) },
    rows,
    {
      name: 'close and open',
      run: async (opened) => {
        await opened.models.close()
        opened.models = on(opened.store, opened.file)
      },
    },
    appended(5, 'order-2'),
    lists,
    rows,
  ],
}
