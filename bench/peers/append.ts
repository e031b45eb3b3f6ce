import type { NewEvent } from '../../engine/index.ts'
import { type Case, measured, type Settings } from '../harness.ts'

/** As much of @event-driven-io/emmett-sqlite as is measured. */
interface EmmettSqlite {
  getSQLiteEventStore(options: { readonly fileName: string }): {
    appendToStream(stream: string, facts: readonly Fact[]): Promise<unknown>
  }
}

interface Fact {
  readonly type: string
  readonly data: object
}

/** Single appends to emmett's SQLite store in a file, as its users get it: WAL and synchronous=FULL by default. */
export function appendPeer(
  file: string,
  appends: number,
  events: readonly NewEvent[],
  peer: Settings['peer'],
): Case | undefined {
  // Without the driver, which has to be built on some machines, the store cannot even be loaded.
  const isComplete = peer('sqlite3') !== undefined
  const store = isComplete
    ? peer<EmmettSqlite>('@event-driven-io/emmett-sqlite')?.getSQLiteEventStore({ fileName: file })
    : undefined
  if (store === undefined) return undefined
  const facts = events.map(({ type, data }) => ({ type, data: data as object }))
  let made = 0
  // Now and then it fails with SQLITE_BUSY; its users would try again.
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
