import { setTimeout as pause } from 'node:timers/promises'
import type { OutageReports } from '../node/outages.ts'

/** What a call does on the server: it can be down for both, or take no writes. */
export type Kind = 'read' | 'write'

/** What is known of a server that let a call wait in vain. */
interface Outage {
  /** The server is lost: no call can be answered at present. `undefined` if calls are worth a try. */
  current(): Loss | undefined
  /** Whether the last write waited in vain while reads were answered, so that the next one is tried only once. */
  areWritesRefused(): boolean
  /** A call was answered. */
  worked(kind: Kind): void
  /** A call has waited in vain since a moment (`performance.now()`). Resolves when it is known whether the server is lost. */
  failed(kind: Kind, since: number): Promise<void>
  end(): void
}

/** A server that is lost. */
interface Loss {
  readonly error: unknown
  /** Resolves when it is back. */
  readonly back: Promise<void>
}

/** Milliseconds between two probes of a server that is lost. */
const probePause = 250

/**
 * Finds out whether a server is lost, so that only the first calls wait in vain. `probe` is a read, tried once: while it
 * fails, all calls are refused; it is repeated until it succeeds.
 */
export function createOutage(probe: () => Promise<void>, reports: OutageReports): Outage {
  let wasThere = false
  let areWritesRefused = false
  let loss: Loss | undefined
  let looking: Promise<void> | undefined
  let isEnded = false

  async function look(since: number): Promise<void> {
    if (loss !== undefined) return
    try {
      await probe()
    } catch (error) {
      if (isEnded) return
      loss = { error, back: untilBack(since) }
      reports.away?.(error, wasThere)
    }
  }

  async function untilBack(since: number): Promise<void> {
    let isLost = true
    while (isLost && !isEnded) {
      await pause(probePause, undefined, { ref: false })
      isLost = await probe().then(
        () => false,
        () => true,
      )
    }
    loss = undefined
    if (!isLost) reports.back?.(performance.now() - since)
  }

  async function failed(kind: Kind, since: number): Promise<void> {
    looking ??= look(since).finally(() => {
      looking = undefined
    })
    await looking
    if (kind === 'write') areWritesRefused = loss === undefined
  }

  return {
    current: () => loss,
    areWritesRefused: () => areWritesRefused,
    worked: (kind) => {
      wasThere = true
      if (kind === 'write') areWritesRefused = false
    },
    failed,
    end: () => {
      isEnded = true
    },
  }
}
