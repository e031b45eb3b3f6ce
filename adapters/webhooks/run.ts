import { type Leases, type Life, runExclusively } from '../../engine/index.ts'
import { errorFields } from '../node/log.ts'
import type { Dispatcher, DispatcherRun } from './dispatch/index.ts'
import { type FanOutOptions, fanOut } from './fan-out/index.ts'
import { beginAt } from './fan-out/start.ts'
import { reviewHealth } from './health.ts'
import { createHooksAt } from './hooks.ts'
import type { WebhooksOptions } from './options.ts'
import type { Replication } from './replication/index.ts'
import { type EmptyReportOptions, reportEmpty } from './reports/empty.ts'
import { retryUntilAborted } from './retry.ts'

/** What the webhooks receive from their node. */
export interface WebhooksRun extends DispatcherRun {
  readonly life: Life
  readonly leases: Leases
  /** Monotonic milliseconds. */
  readonly now: () => number
}

/** What creates and sends deliveries. */
interface RunParts {
  readonly options: WebhooksOptions
  readonly dispatcher: Dispatcher
  readonly making: Omit<FanOutOptions, 'turn' | 'log' | 'wait'> & Omit<EmptyReportOptions, 'log' | 'wait'>
  /** Absent if the processes of the store share their deliveries. */
  readonly replication: Replication | undefined
}

/** How far the holder of the lease has come. */
interface Turn {
  checkpoint: string | undefined
}

const lease = 'webhooks'

/** Notes after which position deliveries are made, if nothing was made before. */
export async function beginWebhooks(
  { options: { store }, making: { repository }, replication }: RunParts,
  leases: Leases,
): Promise<void> {
  const reached = async () => (await leases.read(lease))?.checkpoint
  if (replication === undefined) await beginAt(repository, store, reached)
  else await replication.begin(async () => (await reached()) ?? (await store.latest()) ?? '')
}

type Work = (run: DispatcherRun, turn: Turn) => Promise<void>

/** Runs work on one node at a time. */
type Exclusively = (signal: AbortSignal, work: Work) => Promise<void>

/**
 * Creates and sends deliveries until the signal is aborted: on one node at a time where the processes share them, else each
 * node creates them all and one sends.
 */
export async function runWebhooks(parts: RunParts, { leases, now, life, ...run }: WebhooksRun): Promise<void> {
  const { signal, log, wait } = run
  const node = { life, now, wait }
  const failed = (error: unknown) => {
    // A replaced store cannot take a lease back; this is expected during a stop.
    if (signal.aborted) log.debug(errorFields(error), 'the webhooks ended with a failure')
    else log.error(errorFields(error), 'the turn of the webhooks could not be taken')
  }
  const exclusively: Exclusively = (until, work) =>
    runExclusively(
      leases,
      lease,
      { ...node, signal: until },
      (held, turn) => work({ ...run, signal: held, isAfterLoss: turn.isAfterLoss }, turn),
      failed,
    )
  if (parts.replication !== undefined) return runReplicated(parts, parts.replication, { ...run, leases }, exclusively)
  await exclusively(signal, async (held, turn) => {
    const telling = fanOut({ ...parts.making, turn, log, wait }, held.signal)
    await Promise.all([telling, sendAll(parts, held)])
  })
}

async function sendAll({ options, making, dispatcher }: RunParts, run: DispatcherRun): Promise<void> {
  const { signal, log, wait } = run
  const { store, randomId } = options
  await Promise.all([
    reportEmpty({ ...making, log, wait }, signal),
    reviewHealth({ store, randomId, repository: making.repository, log, wait }, signal),
    dispatcher.run(run),
  ])
}

/** Every node creates the deliveries of all events; one of them sends, as soon as it knows what the others have sent. */
async function runReplicated(
  parts: RunParts,
  replication: Replication,
  { leases, ...run }: DispatcherRun & Pick<WebhooksRun, 'leases'>,
  exclusively: Exclusively,
): Promise<void> {
  const { options, making, dispatcher } = parts
  const { progress } = replication
  const { log, wait } = run
  const telling = { ...making, hooks: createHooksAt(options, making.hooks, progress), progress, log, wait }
  await replication.run(run, {
    structured: making.structured,
    wake: () => dispatcher.wake(),
    follow: (start, signal) => fanOut({ ...telling, turn: { checkpoint: start } }, signal),
    lead: (signal) =>
      exclusively(signal, async (held) => {
        // A node that started while the store did not answer has not begun.
        await retryUntilAborted(held, 'the webhooks cannot begin', () => beginWebhooks(parts, leases))
        await replication.current(held)
        await sendAll(parts, held)
      }),
  })
}
