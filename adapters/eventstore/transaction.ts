import { deriveId, wrongExpectedRevision } from '../../engine/index.ts'
import type { Calls } from './calls.ts'
import { type Call, type Prepared, recordOf, type ServerRecord, type Texts } from './codec.ts'
import { inParallel } from './connection.ts'
import { keptIds, type Place } from './heads.ts'
import { addKey, isKeyedWithin, keyRecordOf } from './keys.ts'
import type { Log } from './log.ts'

/**
 * Appends to several streams, or in several parts, atomically. Returns the positions of the last events by stream, or
 * `undefined` if a stream is at another revision; then nothing is recorded. Throws `wrong_expected_revision`, and records
 * nothing, if a stream has or had another key.
 */
type Transact = (
  parts: readonly (readonly Part[])[],
  recordedAt: string,
) => Promise<ReadonlyMap<string, string> | undefined>

/**
 * All appends but the last are invisible intents. The last one, the decision, makes them visible. A single append needs
 * no intents. Keys are stored beside the intents, and so before anything that they sealed can be seen. See `docs/explanation/decisions/transactions-on-eventstoredb.md`.
 */
export function createTransaction(log: Log, calls: Calls): Transact {
  const nameOf = (part: Part) => log.prefix + part.fresh.append.stream

  return async (parts, recordedAt) => {
    // A decision behind parts of its own stream would be more expensive to make void.
    const deciding = parts.findLast((own) => own.length === 1) ?? parts.at(-1) ?? []
    const decision = deciding.at(-1)
    if (decision === undefined) return new Map()
    const call = callOf(nameOf(decision), decision)
    const positions = new Map<string, string>()

    async function send(part: Part, own?: Call): Promise<boolean> {
      const position = await log.append(nameOf(part), recordsOf(part, log.prefix, recordedAt, own), lastBefore(part))
      if (position !== undefined) positions.set(part.fresh.append.stream, position)
      return position !== undefined
    }

    let isRefused = false
    let refusedKey: Fresh | undefined

    async function sendIntents(own: readonly Part[]) {
      for (const part of own) {
        if (part === decision || isRefused) return
        if (!(await send(part, call))) isRefused = true
      }
    }

    async function sendKey(fresh: Fresh) {
      const { stream, key } = fresh.append
      if (key === undefined || isRefused || (await addKey(log, stream, key)) === key) return
      isRefused = true
      refusedKey = fresh
    }

    const works = parts.flatMap((own) => {
      const { fresh } = own[0] as Part
      const ofKey = fresh.append.key === undefined || leadOf(fresh) > 0 ? [] : [() => sendKey(fresh)]
      return own[0] === decision ? ofKey : [...ofKey, () => sendIntents(own)]
    })
    if (works.length > 0) await inParallel(works, (work) => work())
    if (isRefused && positions.size > 0) await calls.voided(call)
    if (refusedKey !== undefined) throw otherKey(refusedKey)
    if (isRefused) return undefined
    if (!(await send(decision))) return undefined
    if (parts.flat().length > 1) calls.commit(call)
    return positions
  }
}

/** The key of a refused call may stay, as it would if it had been stored before the call. */
function otherKey({ append: { stream, expected }, at }: Fresh) {
  return wrongExpectedRevision(stream, expected, at - 1)
}

function callOf(stream: string, decision: Part): Call {
  const id = decision.fresh.append.events[decision.first]?.id ?? ''
  return { stream, revision: revisionOf(decision), id }
}

/** An append whose events get revisions from `at`, after the server's revision `last`. */
export interface Fresh {
  readonly append: Prepared
  readonly at: number
  readonly last: number
  /** Ids of the preceding events, as far as they are known. */
  readonly ids: readonly string[]
}

/** A part that is sent at once: the events of an append from `first` to before `end`. */
interface Part {
  readonly fresh: Fresh
  readonly first: number
  readonly end: number
}

/** Bytes per part. The server accepts 1 MiB; the mark and the type are not counted here. */
const maxBytes = 512 * 1024

/** Splits an append into parts that the server accepts; an oversized event is its own part. */
export function partsOf(fresh: Fresh): readonly Part[] {
  const parts: Part[] = []
  let first = 0
  let bytes = 0
  for (const [index, { size }] of fresh.append.texts.entries()) {
    if (index > first && bytes + size > maxBytes) {
      parts.push({ fresh, first, end: index })
      first = index
      bytes = 0
    }
    bytes += size
  }
  return [...parts, { fresh, first, end: fresh.append.texts.length }]
}

/** Records before the first event: its key, if the stream begins with this append. */
function leadOf({ append: { stream, key }, last }: Fresh): 0 | 1 {
  return key !== undefined && last < 0 && isKeyedWithin(stream) ? 1 : 0
}

/** Where the stream ends once its append is recorded. */
export function endAfter(fresh: Fresh): Place {
  const { append, at, last, ids } = fresh
  const { length } = append.events
  const known = [...ids, ...append.events.map(({ id }) => id)].slice(-keptIds)
  return { revision: at + length - 1, last: last + leadOf(fresh) + length, ids: known }
}

/** The server revision of the first event of a part. */
function revisionOf({ fresh, first }: Part): number {
  return fresh.last + 1 + leadOf(fresh) + first
}

/** The server revision that a part is appended after; the first one begins with the key. */
function lastBefore(part: Part): number {
  return part.first === 0 ? part.fresh.last : revisionOf(part) - 1
}

/** The events of a part, and the key before them: under their own ids, or, as intents of a call, under derived ids. */
function recordsOf(
  { fresh, first, end }: Part,
  prefix: string,
  recordedAt: string,
  call?: Call,
): readonly ServerRecord[] {
  const engine = prefix === '' ? {} : { prefix }
  const events = fresh.append.events.slice(first, end).map((event, index) => {
    const mark = { revision: fresh.at + first + index, recordedAt: event.recordedAt ?? recordedAt, ...engine }
    const texts = fresh.append.texts[first + index] as Texts
    if (call === undefined) return recordOf(event, texts, event.id, mark)
    const id = deriveId('intent', event.id, call.stream, String(call.revision))
    return recordOf(event, texts, id, { ...mark, id: event.id, call })
  })
  const { key } = fresh.append
  return first === 0 && key !== undefined && leadOf(fresh) > 0 ? [keyRecordOf(key), ...events] : events
}
