import { openStore } from '../../adapters/main.ts'
import { storeFrom } from '../../adapters/node/config.ts'
import type { RecordedEvent } from '../../engine/index.ts'
import { type Call, indexOf } from './calls.ts'

/** Reads the store from outside the server, and returns the calls that are in it. */
export interface Witness {
  /** Reads on from where it was. */
  look(): Promise<void>
  /** How many of the call's events are there under its request id; `size` where it is whole. */
  standing(call: Call): number
  /** Events of the feed that occur more than once, or with the request id of another call. */
  wrong(): readonly string[]
}

/** A witness of the store in a directory. */
export function createWitness(dataDir: string, calls: readonly Call[]): Witness {
  const byId = new Map(calls.map((call) => [call.id, call]))
  const seen = new Map<string, Set<number>>()
  const wrong: string[] = []
  let position: string | undefined

  function note({ type, data, metadata }: RecordedEvent): void {
    if (type !== 'TrackingEventRecorded') return
    const index = indexOf((data as { readonly event: { readonly event_id: string } }).event.event_id)
    const call = byId.get(metadata.correlationId ?? '')
    const indexes = seen.get(metadata.correlationId ?? '') ?? new Set()
    if (call === undefined || index < call.from || index >= call.to || indexes.has(index))
      wrong.push(`event ${index} of ${metadata.correlationId}`)
    seen.set(metadata.correlationId ?? '', indexes.add(index))
  }

  return {
    look: async () => {
      const store = await openStore(storeFrom({ OTEP_DATA_DIR: dataDir }))
      for await (const event of store.readAll(position)) {
        note(event)
        position = event.position
      }
      await store.close()
    },
    standing: ({ id }) => seen.get(id)?.size ?? 0,
    wrong: () => wrong,
  }
}

/** Whether revisions of every stream count from 0 without a gap, in the order of the store. */
export async function gapsIn(dataDir: string): Promise<readonly string[]> {
  const next = new Map<string, number>()
  const gaps: string[] = []
  const store = await openStore(storeFrom({ OTEP_DATA_DIR: dataDir }))
  for await (const { stream, revision } of store.readAll()) {
    if (revision !== (next.get(stream) ?? 0)) gaps.push(`${stream} ${revision}`)
    next.set(stream, revision + 1)
  }
  await store.close()
  return gaps
}
