import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createSqliteStore } from '../adapters/sqlite/facts/index.ts'
import { openDatabase } from '../adapters/sqlite/facts/open.ts'
import type { Append, NewEvent } from '../engine/index.ts'
import { appendsOfParcel, longStream, steadyPlace, stepAt, timelineIn } from './facts.ts'
import { type Case, measured, type Prepared, type Settings, type Topic } from './harness.ts'
import { appendPeer } from './peers/append.ts'
import { createInserter, createRowsOf, type FeedRow } from './rows.ts'
import { removeDatabase, writeStore } from './stores.ts'

/** Durable appends through the port of the store, without the engine in front of it. */
export const append: Topic = {
  name: 'append',
  summary: "durable appends through the store's port, against raw insertion of the same rows, and against the disk",
  unit: 'event',
  prepare,
}

/**
 * The calls of a round, the events of each, the concurrent callers, and whether a call's events belong to one new
 * stream.
 */
interface Plan {
  readonly name: string
  readonly size: number
  readonly calls: number
  readonly callers: number
  readonly isOneStream: boolean
}

const plans: readonly Plan[] = [
  { name: '1 event a call', size: 1, calls: 2_000, callers: 1, isOneStream: false },
  { name: '1 event a call, 64 callers', size: 1, calls: 12_800, callers: 64, isOneStream: false },
  { name: '100 events a call', size: 100, calls: 150, callers: 1, isOneStream: false },
  { name: '1,000 events a call', size: 1_000, calls: 15, callers: 1, isOneStream: false },
  { name: '100 events of one stream a call', size: 100, calls: 150, callers: 1, isOneStream: true },
  { name: '1,000 events of one stream a call', size: 1_000, calls: 15, callers: 1, isOneStream: true },
]

/** The events of one call. */
type Call = readonly Append[]

/** The subject of a measurement, and how to clean it up. */
interface Opened {
  readonly measure: Case['run']
  close(): unknown
}

/** Calls of a round to a peer, of one event each. */
const peerCalls = 150

async function prepare({ scale, directory, progress, peer }: Settings): Promise<Prepared> {
  progress('preparing stores')
  const events = timelineIn(await appendsOfParcel())
  const opened: Opened[] = []
  const caseOf = (name: string, one: Opened, reference: Pick<Case, 'reference'> = {}): Case => {
    opened.push(one)
    return { name, ...reference, run: one.measure }
  }
  const disk = 'write and fdatasync, 1 event each'
  const cases = plans.flatMap(({ calls, ...rest }, index) => {
    const plan = { ...rest, calls: Math.max(1, Math.round(calls * scale)) }
    const [own, raw] = [`store, ${plan.name}`, `raw insert, ${plan.name}`]
    const fileOf = (kind: string) => join(directory, `append-${kind}-${index}.db`)
    const isSingle = plan.size * plan.callers === 1
    const single = isSingle ? [caseOf(disk, openDisk(join(directory, 'append-disk'), plan, events))] : []
    return [
      caseOf(own, openStore(fileOf('store'), plan, events), { reference: isSingle ? [raw, disk] : raw }),
      caseOf(raw, openRaw(fileOf('raw'), plan, events), isSingle ? { reference: disk } : {}),
      ...single,
    ]
  })
  const peerFile = join(directory, 'append-peer.db')
  const other = appendPeer(peerFile, Math.round(peerCalls * scale), events, peer)
  const close = async () => {
    for (const one of opened) await one.close()
    removeDatabase(peerFile)
  }
  return { cases: [...cases, ...(other === undefined ? [] : [other])], notes: [note], close }
}

function openStore(file: string, plan: Plan, events: readonly NewEvent[]): Opened {
  writeStore(file, [stepsFrom(0, steadyPlace, events).flatMap(createRowsOf())])
  const store = createSqliteStore({ file, clock: Date.now })
  const callsOfRound = createCalls(plan, events)
  return {
    measure: () => {
      const calls = callsOfRound().values()
      const caller = async () => {
        for (const call of calls) await store.appendMany(call)
      }
      return measured(unitsOf(plan), async () => {
        await Promise.all(Array.from({ length: plan.callers }, caller))
      })
    },
    close: async () => {
      await store.close()
      removeDatabase(file)
    },
  }
}

function openRaw(file: string, plan: Plan, events: readonly NewEvent[]): Opened {
  const database = openDatabase(file)
  const insert = createInserter(database)
  const rowsOf = createRowsOf()
  insert(stepsFrom(0, steadyPlace, events).flatMap(rowsOf))
  const callsOfRound = createCalls(plan, events)
  return {
    measure: () => {
      const transactions = inGroups(callsOfRound(), plan.callers).map((group) => group.flat().flatMap(rowsOf))
      return measured(unitsOf(plan), () => transactions.forEach(insert))
    },
    close: () => {
      database.close()
      removeDatabase(file)
    },
  }
}

function openDisk(file: string, plan: Plan, events: readonly NewEvent[]): Opened {
  const descriptor = openSync(file, 'w')
  const rowsOf = createRowsOf()
  const callsOfRound = createCalls(plan, events)
  return {
    measure: () => {
      const texts = callsOfRound().map((call) => Buffer.concat(call.flatMap(rowsOf).flatMap(bytesOf)))
      return measured(unitsOf(plan), () => {
        for (const text of texts) {
          writeSync(descriptor, text)
          fdatasyncSync(descriptor)
        }
      })
    },
    close: () => {
      closeSync(descriptor)
      rmSync(file)
    },
  }
}

/** Makes the calls of one round after another, starting where the feed is steady. */
function createCalls({ size, calls, isOneStream }: Plan, events: readonly NewEvent[]): () => readonly Call[] {
  let made = 0
  const callOf = (index: number): Call =>
    isOneStream ? [longStream(steadyPlace + index, size, events)] : stepsFrom(steadyPlace + index * size, size, events)
  return () => Array.from({ length: calls }, () => callOf(made++))
}

function stepsFrom(from: number, count: number, events: readonly NewEvent[]): Call {
  const steps = Array.from({ length: count }, (_, index) => stepAt(from + index, events))
  return steps.filter((step) => step !== undefined)
}

function unitsOf({ size, calls }: Plan): number {
  return size * calls
}

function inGroups<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

function bytesOf({ id, type, data, meta }: FeedRow): readonly Uint8Array[] {
  return [id, Buffer.from(type + data + meta)]
}

const note =
  'The events are those that the engine writes for timelines of ten events; nine in ten go on with a stream, one begins ' +
  'one, but where a call is of one stream, which is new. Raw insert writes the same rows, ready made, with one prepared ' +
  'statement, the same pragmas (WAL, synchronous=FULL) and as many transactions: one a call, and one for 64 callers, who ' +
  'share each commit of the store. Write and fdatasync appends the bytes of the columns to a file and waits for the disk.'
