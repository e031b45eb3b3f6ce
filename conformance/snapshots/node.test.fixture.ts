import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createParts } from '../../adapters/main.ts'
import { secretOf } from '../../adapters/node/secret.ts'
import { createSqliteStore } from '../../adapters/sqlite/facts/index.ts'
import { openModels } from '../../adapters/sqlite/models/open.ts'
import { type Caller, type Context, en, readTimeline, type StreamName, withoutSnapshots } from '../../engine/index.ts'

/** The timelines of the test, `SR0` and so on. */
export const parcels = 5

const caller: Caller = { kind: 'operator', name: 'acme', scopes: ['otep:ingest', 'otep:erase'] }

/** The stream of a parcel. */
export const streamOf = (parcel: number): StreamName => `tracking-tracking_number:SR${parcel}`

/** The files of a node: its store, and what it keeps for itself. */
export const filesIn = (directory: string) => ({
  store: join(directory, 'otep.db'),
  models: join(directory, 'models.db'),
})

/** Opens the engine on the files in a directory, as each process does. */
export function openNode(directory: string, secret: string) {
  const { store: file, models } = filesIn(directory)
  const store = createSqliteStore({ file, clock: Date.now })
  const parts = createParts({
    store,
    publicView: 'full',
    secret: secretOf(secret),
    modelsFile: { file: models, name: 'otep.db' },
  })
  const close = async () => {
    await parts.models.close()
    await store.close()
  }
  return { parts, store, close }
}

/** The context of a call. */
export function contextOf(parts: ReturnType<typeof createParts>): Context {
  return { ...parts, caller, messages: en, requestId: 'test' }
}

/** An event of a parcel; a later index is a later time. */
export const lineOf = (parcel: number, index: number, more: object = {}) => ({
  subject: { tracking_number: `SR${parcel}` },
  ...{ event_id: `e-${index}`, status_code: 'in_transit', description: `For Adaline ${index}` },
  occurred_at: new Date(Date.parse('2026-06-10T08:00:00Z') + index * 60_000).toISOString(),
  ...more,
})

/** The same timeline as it is read, and from its events alone, as of one revision. */
export async function readTwice(context: Context, stream: StreamName) {
  for (;;) {
    const read = await readTimeline(context, stream)
    const due = await readTimeline({ ...context, store: withoutSnapshots(context.store) }, stream)
    if (read.revision === due.revision) return { read, due }
  }
}

/** The revisions of the snapshots in a directory, by stream. */
export function snapshotsIn(directory: string): ReadonlyMap<string, number> {
  const { models } = filesIn(directory)
  if (!existsSync(models)) return new Map()
  const database = openModels(models)
  try {
    const rows = database.prepare('SELECT stream, revision FROM snapshots').all() as {
      stream: string
      revision: number
    }[]
    return new Map(rows.map(({ stream, revision }) => [stream, revision]))
  } finally {
    database.close()
  }
}
