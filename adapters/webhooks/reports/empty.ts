import {
  type Context,
  emptyReportOwners,
  isEngineError,
  isoOf,
  lastTick,
  noBusiness,
  type Owner,
} from '../../../engine/index.ts'
import type { DeliveryRepository, NewDelivery } from '../../node/deliveries.ts'
import { errorFields, type Log } from '../../node/log.ts'
import { deliveryTo, type Report, type Reports } from './index.ts'

/** Dependencies of reports that say that there is nothing. */
export interface EmptyReportOptions {
  readonly facts: Pick<Context, 'models'>
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly reports: Pick<Reports, 'standing'>
  readonly repository: Pick<DeliveryRepository, 'add' | 'page'>
  readonly wake: (endpointIds: Iterable<string>) => void
  readonly log: Log
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Milliseconds between two looks. */
const pause = 2_000

/** Milliseconds until the next look after one that failed. */
const longerPause = 30_000

/**
 * Tells subscriptions that want to know it that there were no results at their last scheduled time, until `signal` is
 * aborted. The id of the delivery follows from that time, so nothing has to be remembered over a restart.
 */
export async function reportEmpty(options: EmptyReportOptions, signal: AbortSignal): Promise<void> {
  const { facts, reports, log, wait } = options
  const looked = new Map<string, number>()
  while (!signal.aborted) {
    try {
      for (const owner of await emptyReportOwners(facts))
        for (const report of await reports.standing(owner))
          if (report.subscription.reportIfEmpty) await look(options, owner, report, looked)
      await wait(pause, signal)
    } catch (error) {
      if (signal.aborted) return
      // The read models are being built, or the store is lost, which other lines tell.
      const isWaiting = isEngineError(error, 'store_unavailable')
      const level = isWaiting ? 'debug' : 'error'
      log[level](errorFields(error), 'reports without results could not be made and are tried again')
      await wait(isWaiting ? pause : longerPause, signal)
    }
  }
}

async function look(
  { clock, repository, wake }: EmptyReportOptions,
  owner: Owner,
  report: Report,
  looked: Map<string, number>,
): Promise<void> {
  const { id, createdAt } = report.subscription
  if (report.ticks === undefined) return
  const tick = lastTick(report.ticks, clock())
  if (tick === undefined || tick <= Date.parse(createdAt) || looked.get(id) === tick) return
  const since = lastTick(report.ticks, tick - 1) ?? 0
  const results = {
    businessId: noBusiness,
    owner,
    endpointId: id,
    event: 'epcis.results',
    since: since + 1,
    until: tick + 1,
  }
  const { total } = await repository.page(results, { limit: 1, offset: 0 })
  if (total === 0) wake((await repository.add([emptyDelivery(report, tick)])).map(({ endpoint }) => endpoint.id))
  looked.set(id, tick)
}

function emptyDelivery(report: Report, tick: number): NewDelivery {
  const subject = `epcis_subscription/${report.subscription.id}`
  const said = { event: 'epcis.no_results', name: [String(tick)], subject, at: isoOf(tick), dueAt: tick } as const
  return deliveryTo(report, said, [])
}
