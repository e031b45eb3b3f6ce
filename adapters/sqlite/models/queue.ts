/** Milliseconds until rows are written, so that many are written at once. */
const wait = 100

/** Events in the rows that wait to be written; later ones are left out. */
const maxWaiting = 20_000

/** Events in the rows that are written in one turn of the event loop. */
const eventsAtOnce = 500

/** A row that waits. */
interface Waiting<Row> {
  readonly size: number
  readonly make: () => Promise<Row | undefined>
}

/** A row and its name. */
export type NamedRow<Row> = readonly [name: string, row: Row]

/** Makes rows a moment later, and gives them to `write`, some in each turn of the event loop. */
export function createQueue<Row>(write: (rows: readonly NamedRow<Row>[]) => void) {
  const waiting = new Map<string, Waiting<Row>>()
  let events = 0
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  function add(name: string, size: number, make: Waiting<Row>['make']) {
    take(name)
    if (isClosed || events + size > maxWaiting) return
    waiting.set(name, { size, make })
    events += size
    timer ??= setTimeout(writeSome, wait).unref()
  }

  function take(name: string): Waiting<Row> | undefined {
    const row = waiting.get(name)
    events -= row?.size ?? 0
    waiting.delete(name)
    return row
  }

  async function writeSome() {
    const rows: NamedRow<Row>[] = []
    let size = 0
    for (const name of waiting.keys()) {
      if (size >= eventsAtOnce) break
      const next = take(name)
      size += next?.size ?? 0
      const row = await next?.make().catch(() => undefined)
      if (row !== undefined) rows.push([name, row])
    }
    write(rows)
    timer = waiting.size === 0 ? undefined : setTimeout(writeSome).unref()
  }

  function close() {
    isClosed = true
    waiting.clear()
    clearTimeout(timer)
  }

  return { add, take, close }
}
