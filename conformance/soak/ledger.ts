import { type Call, eventId, parcelOf, parcelsOf, sizeOf } from '../kill/calls.ts'

/** What the soak itself knows of what it sent, without a look into the store. */
export interface Ledger {
  /** The next call, of so many events. */
  next(size: number): Call
  /** The server took the whole call, or had it already. */
  acknowledge(call: Call): void
  /** The call was sent without a response: it is recorded completely or not at all. */
  leaveOpen(call: Call): void
  /** An acknowledged call, chosen by a number from 0 to 1; undefined before the first. */
  anyAcknowledged(at: number): Call | undefined
  /** Events of a parcel that every reader has to see from now on. */
  owed(parcel: number): ReadonlySet<string>
  /** The number of parcels with sent events. */
  parcels(): number
  /** Events that were acknowledged, and those of calls without an answer. */
  counts(): { readonly acknowledged: number; readonly open: number }
  /** The differences between the ledger and the events of each parcel at the server. */
  faults(returned: readonly (readonly string[])[]): readonly string[]
}

const none: ReadonlySet<string> = new Set()

/** An empty ledger. */
export function createLedger(): Ledger {
  const answered: Call[] = []
  const open = new Set<Call>()
  const owed = new Map<number, Set<string>>()
  let at = 0
  let acknowledged = 0
  return {
    next: (size) => {
      const call = { id: `soak-${at}`, from: at, to: at + size }
      at += size
      return call
    },
    acknowledge: (call) => {
      open.delete(call)
      answered.push(call)
      acknowledged += sizeOf(call)
      for (const [index, id] of idsOf(call)) {
        const ids = owed.get(parcelOf(index)) ?? new Set()
        owed.set(parcelOf(index), ids.add(id))
      }
    },
    leaveOpen: (call) => void open.add(call),
    anyAcknowledged: (place) => answered[Math.floor(place * answered.length)],
    owed: (parcel) => owed.get(parcel) ?? none,
    parcels: () => parcelsOf(at),
    counts: () => ({ acknowledged, open: [...open].reduce((sum, call) => sum + sizeOf(call), 0) }),
    faults: (returned) => {
      const standing = new Set(returned.flat())
      const undecided = new Set([...open].flatMap((call) => idsOf(call).map(([, id]) => id)))
      return [
        ...returned.flatMap((ids, parcel) => faultsOf(ids, owed.get(parcel) ?? none, undecided)),
        ...[...open].flatMap((call) => tornFault(call, standing)),
      ]
    },
  }
}

function idsOf({ from, to }: Call): readonly (readonly [number, string])[] {
  return Array.from({ length: to - from }, (_, offset) => [from + offset, eventId(from + offset)])
}

/** For one parcel: events that are lost, duplicated, or were never sent. */
function faultsOf(returned: readonly string[], owed: ReadonlySet<string>, undecided: ReadonlySet<string>) {
  const seen = new Set<string>()
  const faults: string[] = []
  for (const id of returned) {
    if (seen.has(id)) faults.push(`${id} is there twice`)
    else if (!owed.has(id) && !undecided.has(id)) faults.push(`${id} was never sent`)
    seen.add(id)
  }
  for (const id of owed) if (!seen.has(id)) faults.push(`${id} was acknowledged and is lost`)
  return faults
}

function tornFault(call: Call, standing: ReadonlySet<string>): readonly string[] {
  const there = idsOf(call).filter(([, id]) => standing.has(id)).length
  return there === 0 || there === sizeOf(call) ? [] : [`${call.id} had no answer and is there in part`]
}
