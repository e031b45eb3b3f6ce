import { setTimeout as pause } from 'node:timers/promises'

/** What a call does on the server: it can be down for both, or take no writes. */
export type Kind = 'read' | 'write'

/** What is known of a server that let a call wait in vain. */
export interface Outage {
  /** Why no call can be answered at present; `undefined` if calls are worth a try. */
  cause(): unknown
  /** Whether the last write waited in vain, so that the next one is tried only once. */
  areWritesRefused(): boolean
  /** A call was answered. */
  worked(kind: Kind): void
  /** A call waited in vain. */
  failed(kind: Kind, error: unknown): void
  end(): void
}

/** Milliseconds between two probes of a server that is lost. */
const probePause = 250

/**
 * Remembers that a call has waited in vain, so that others need not wait too. `probe` is a read, tried once: while it
 * fails, all calls are refused; it is repeated until it succeeds.
 */
export function createOutage(probe: () => Promise<void>): Outage {
  let refusedWrite: unknown
  let lost: { readonly error: unknown } | undefined
  let isProbing = false
  let isEnded = false

  async function probeUntilBack() {
    if (isProbing) return
    isProbing = true
    while (isProbing && !isEnded) {
      try {
        await probe()
        lost = undefined
        isProbing = false
      } catch (error) {
        lost ??= { error }
        await pause(probePause, undefined, { ref: false })
      }
    }
  }

  function failed(kind: Kind, error: unknown) {
    if (kind === 'write') refusedWrite = error
    else lost ??= { error }
    void probeUntilBack()
  }

  return {
    cause: () => lost?.error,
    areWritesRefused: () => refusedWrite !== undefined,
    worked: (kind) => {
      if (kind === 'write') refusedWrite = undefined
    },
    failed,
    end: () => {
      isEnded = true
    },
  }
}
