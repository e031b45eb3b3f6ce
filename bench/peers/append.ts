import type { NewEvent } from '../../engine/index.ts'
import { type Case, measured, type Settings } from '../harness.ts'

/** The measured parts of @event-driven-io/emmett-sqlite. */
interface EmmettSqlite {
  getSQLiteEventStore(options: { readonly fileName: string }): {
    appendToStream(stream: string, facts: readonly Fact[]): Promise<unknown>
  }
}

interface Fact {
  readonly type: string
  readonly data: object
}

/** Single appends to emmett's SQLite store in a file, with its default settings: WAL and synchronous=FULL. */
export function appendPeer(
  file: string,
  appends: number,
  events: readonly NewEvent[],
  peer: Settings['peer'],
): Case | undefined {
  // Without the driver, which some machines have to compile, the store cannot even be loaded.
  const isComplete = peer('sqlite3') !== undefined
  const store = isComplete
    ? peer<EmmettSqlite>('@event-driven-io/emmett-sqlite')?.getSQLiteEventStore({ fileName: file })
    : undefined
  if (store === undefined) return undefined
  const facts = events.map(({ type, data }) => ({ type, data: data as object }))
  let made = 0
  // It sometimes fails with SQLITE_BUSY; its users would retry.
  const append = async (stream: string, fact: Fact) => {
    await store.appendToStream(stream, [fact]).catch(() => store.appendToStream(stream, [fact]))
  }
  const run = () =>
    measured(appends, async () => {
      for (let index = 0; index < appends; index++, made++)
        await append(`tracking-${Math.floor(made / facts.length)}`, facts[made % facts.length] as Fact)
    })
  return { name: "emmett's SQLite store, 1 event a call", run }
}
