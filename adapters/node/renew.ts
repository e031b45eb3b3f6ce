import { wait } from './wait.ts'

/** Something that is closed and opened again when what it depends on is replaced. */
export interface Renewable<Thing> {
  /** `undefined` while it is being opened again. */
  current(): Thing | undefined
  /** Closes it and opens it again, retrying until that works. */
  renew(): void
  /** Closes it for good. */
  close(): Promise<void>
}

/** Milliseconds before another attempt to open it. */
const pause = 1_000

/** Makes something renewable; `report` receives the errors of closing and opening. */
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
      if (current === undefined) await wait(pause, signal)
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
