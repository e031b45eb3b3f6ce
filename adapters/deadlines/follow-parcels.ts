import {
  type Asked,
  askForScans,
  type Caller,
  type Context,
  type DueNumber,
  dueNumbers,
  en,
  isoOf,
  type Leases,
  type Life,
  runExclusively,
} from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'
import { errorFields, type Log } from '../node/log.ts'
import { type ClockParts, type ClockRun, untilBuilt } from './index.ts'

/** The name of the lease; its checkpoint is the instant up to which carriers were asked. */
const name = 'label-tracking'

const caller: Caller = { kind: 'operator', name, scopes: [] }

/** Milliseconds between two looks at what is due. */
const pause = 30_000

/** The most parcels that are found due in one look, and the most questions for one account; the rest comes with the next. */
const limits = { found: 20_000, forAccount: 100 }

/** How many accounts are asked at once, and how many questions one gets at once. */
const atOnce = { accounts: 8, questions: 3 }

/** Failures in a row after which the other parcels of an account wait for their next time. */
const maxFailures = 3

/** What following receives from its node. */
interface FollowRun extends ClockRun {
  readonly life: Life
  readonly leases: Leases
  /** Monotonic milliseconds. */
  readonly now: () => number
}

/**
 * Asks carriers what became of the parcels of labels until `signal` is aborted, on one node at a time. A question without news
 * records nothing: the times follow from the last news, and only how far this has come is kept, in the lease.
 */
export function followParcels(parts: ClockParts, run: FollowRun): Promise<void> {
  const { signal, log, leases, life, now, wait } = run
  const failed = (error: unknown) => {
    if (!signal.aborted) log.warn({ of: name, ...errorFields(error) }, 'the lease could not be taken or kept')
  }
  return runExclusively(
    leases,
    name,
    { life, signal, now, wait },
    async (held, turn) => {
      const waiting = new Map<string, DueNumber>()
      await untilBuilt(parts, wait, held)
      while (!held.aborted) {
        const now = parts.clock()
        turn.checkpoint ??= isoOf(now)
        try {
          const due = await dueNumbers(parts, Date.parse(turn.checkpoint), now, limits.found)
          for (const one of due) waiting.set(one.tracking_number, one)
          // Where nothing is due, nothing is written.
          if (due.length > 0) turn.checkpoint = isoOf(now)
          await askAll(parts, waiting, held, log)
        } catch (error) {
          log.warn({ of: name, ...errorFields(error) }, 'parcels could not be followed and are looked at again')
        }
        await wait(pause, held)
      }
    },
    failed,
  )
}

/** Asks about those that wait, as far as their accounts allow, and takes them out. */
async function askAll(
  parts: ContextParts,
  waiting: Map<string, DueNumber>,
  signal: AbortSignal,
  log: Log,
): Promise<void> {
  const accounts = new Map<number, DueNumber[]>()
  for (const one of waiting.values()) {
    const parcels = accounts.get(one.carrier_account_id)
    if (parcels === undefined) accounts.set(one.carrier_account_id, [one])
    else if (parcels.length < limits.forAccount) parcels.push(one)
  }
  await inParallel([...accounts], atOnce.accounts, async ([account, parcels]) => {
    let failures = 0
    await inParallel(parcels, atOnce.questions, async ({ tracking_number }) => {
      if (signal.aborted) return
      waiting.delete(tracking_number)
      if (failures >= maxFailures) return
      const { failure, refusals, warnings } = await ask(parts, tracking_number, log)
      failures = failure === undefined ? 0 : failures + 1
      if (failures === maxFailures) log.warn({ of: name, account, failure }, 'a carrier does not tell of its parcels')
      if (warnings !== undefined)
        log.warn({ of: name, account, warnings }, 'an answer of a carrier could not be read whole')
      if (refusals.length > 0) log.error({ of: name, account, codes: refusals }, 'a timeline refused an event')
    })
    if (failures < maxFailures) return
    for (const one of waiting.values()) if (one.carrier_account_id === account) waiting.delete(one.tracking_number)
  })
}

/** A failure of one does not hold up the others. */
async function ask(parts: ContextParts, trackingNumber: string, log: Log): Promise<Asked> {
  const context: Context = { ...parts, caller, messages: en, requestId: parts.randomId() }
  try {
    return await askForScans(context, trackingNumber)
  } catch (error) {
    log.error({ of: name, ...errorFields(error) }, 'a parcel could not be followed')
    return { refusals: [] }
  }
}

async function inParallel<Item>(
  items: readonly Item[],
  count: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]()
  const worker = async () => {
    for (const item of left) await run(item)
  }
  await Promise.all(Array.from({ length: Math.min(count, items.length) }, worker))
}
