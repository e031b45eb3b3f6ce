import { type Call, sizeOf, trackingNumber } from '../kill/calls.ts'
import { createClient } from '../kill/client.ts'
import type { Crew } from './crew.ts'
import type { Ledger } from './ledger.ts'

/** What all lanes share. */
export interface Course {
  readonly crew: Pick<Crew, 'port'>
  readonly ledger: Ledger
  readonly key: string
  readonly random: () => number
  /** Aborted when it is time to end. */
  readonly until: AbortSignal
  /** Reports the duration of a kind of request, in milliseconds. */
  took(kind: string, milliseconds: number): void
  /** Something that must never be. */
  fault(text: string): void
}

const sizes = [1, 1, 1, 5, 20, 100, 400]

/** One of some items, each as likely as any other. */
function oneOf<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)] as Item
}

/**
 * Pushes events until the end: mostly new ones, sometimes a recorded call again. A call without a response is usually
 * repeated, as a carrier would do, and otherwise left open.
 */
export async function writeOn(course: Course): Promise<void> {
  const { ledger, random, until } = course
  while (!until.aborted) {
    const known = random() < 0.1 ? ledger.anyAcknowledged(random()) : undefined
    const call = known ?? ledger.next(oneOf(sizes, random))
    let outcome = await send(course, call, known === undefined ? 'new' : 'known')
    if (known !== undefined) continue
    if (outcome === 'unanswered') ledger.leaveOpen(call)
    while (outcome === 'unanswered' && !until.aborted && random() < 0.7) outcome = await send(course, call, 'again')
    if (outcome === 'answered') ledger.acknowledge(call)
  }
}

async function send(course: Course, call: Call, kind: 'new' | 'known' | 'again'): Promise<'answered' | 'unanswered'> {
  const port = await course.crew.port()
  if (port === undefined) return 'unanswered'
  const client = createClient(port, course.key)
  try {
    const began = performance.now()
    const { status, accepted, duplicate } = await client.ingest(call)
    // A server that is stopping, or whose store is unavailable, says so; the proxy answers 502 without a body.
    if (status === 503) return 'unanswered'
    course.took(`ingest of ${sizeOf(call) === 1 ? '1 event' : 'a batch'}`, performance.now() - began)
    const right = {
      new: accepted === sizeOf(call),
      known: duplicate === sizeOf(call),
      again: accepted + duplicate === sizeOf(call),
    }
    if (status !== 200 || !right[kind]) {
      course.fault(
        `${call.id} (${kind}, ${sizeOf(call)} events) was answered ${status}: ${accepted} accepted, ${duplicate} duplicate`,
      )
    }
    return 'answered'
  } catch {
    return 'unanswered'
  } finally {
    client.close()
  }
}

const formats = [
  '',
  '?format=epcis',
  '?format=onerecord',
  '?format=otlp',
  '?format=aftership',
  '?format=shopify',
] as const

/** Reads timelines until the end, in many formats; each has everything that was acknowledged before the request. */
export async function readOn(course: Course): Promise<void> {
  const { crew, ledger, random, until } = course
  while (!until.aborted) {
    const port = await crew.port()
    const parcel = Math.floor(random() * ledger.parcels())
    const owed = [...ledger.owed(parcel)]
    if (port === undefined || owed.length === 0) {
      await new Promise(setImmediate)
      continue
    }
    const format = oneOf(formats, random)
    const began = performance.now()
    const url = `http://127.0.0.1:${port}/api/v1/otep/trackings/${trackingNumber(parcel)}${format}`
    const answer = await answerOf(url, visitorFrom(random))
    if (answer === undefined || answer.status === 503 || answer.status === 502) continue
    course.took(format === '' ? 'read' : 'read in another format', performance.now() - began)
    if (answer.status !== 200) course.fault(`${trackingNumber(parcel)}${format} was answered ${answer.status}`)
    else if (format === '') seeAll(course, parcel, owed, answer.text)
  }
}

function seeAll(course: Course, parcel: number, owed: readonly string[], text: string): void {
  const { data } = JSON.parse(text) as { readonly data: { readonly events: readonly { readonly event_id: string }[] } }
  const seen = new Set(data.events.map(({ event_id }) => event_id))
  const missing = owed.filter((id) => !seen.has(id))
  if (missing.length > 0) course.fault(`${trackingNumber(parcel)} does not tell ${missing.join(', ')}`)
}

/** The address of one of many visitors, whom a proxy forwards: each one has its share. */
function visitorFrom(random: () => number): string {
  return `198.18.${Math.floor(random() * 256)}.${Math.floor(random() * 256)}`
}

async function answerOf(
  url: string,
  visitor: string,
): Promise<{ readonly status: number; readonly text: string } | undefined> {
  try {
    const response = await fetch(url, { headers: { 'X-Forwarded-For': visitor } })
    return { status: response.status, text: await response.text() }
  } catch {
    return undefined
  }
}
