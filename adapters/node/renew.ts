import { setTimeout } from 'node:timers/promises'

/** Something that stands on what may be replaced under it, and is then closed and opened again. */
export interface Renewable<Thing> {
  /** Nothing while it is opened again. */
  current(): Thing | undefined
  /** Closes it and opens it again, as often as it takes. */
  renew(): void
  /** Closes it for good. */
  close(): Promise<void>
}

/** How long to wait after it could not be opened, in milliseconds. */
const pause = 1_000

/** Makes something renewable; `report` is told what went wrong on the way. */
export function renewable<Thing extends { close(): Promise<void> }>(
  first: Thing,
  open: () => Promise<Thing>,
  report: (error: unknown) => void,
): Renewable<Thing> {
  const closing = new AbortController()
  const { signal } = closing
  let current: Thing | undefined = first
  let work = Promise.resolve()

  async function again() {
    const old = current
    current = undefined
    await old?.close().catch(report)
    while (current === undefined && !signal.aborted) {
      current = await open().catch((error: unknown) => {
        report(error)
        return undefined
      })
      if (current === undefined) await setTimeout(pause, undefined, { signal }).catch(() => {})
    }
  }

  return {
    current: () => current,
    renew: () => {
      work = work.then(again)
    },
    close: async () => {
      closing.abort()
      await work
      await current?.close()
    },
  }
}
