import { setImmediate } from 'node:timers/promises'
import type { RecordedEvent } from '../../../engine/index.ts'
import type { Checkpoint } from '../../node/deliveries.ts'
import { type FanOutResult, type LastNotifiedAt, noDeliveries } from './make.ts'
import type { FanOutOptions } from './options.ts'

/** Maximum number of unsaved deliveries; the event flow waits when it is reached. */
const maxWaiting = 500

/** Events without deliveries after which the checkpoint is saved. */
const maxUncheckpointed = 1_000

/** Saves deliveries together with the checkpoint. */
export interface BatchWriter {
  /** Aborted when a save fails: the flow ends and restarts after the last checkpoint. */
  readonly failed: AbortSignal
  add(event: RecordedEvent, made: FanOutResult): Promise<void>
  readonly lastNotifiedAt: LastNotifiedAt
  /** Saves the rest; throws if a save has failed. */
  finish(): Promise<void>
}

/** Saves deliveries, in batches if they come faster than they are saved; `succeeded` is called after each save. */
export function createBatchWriter(
  { repository, wake, forget, turn, ownerOf }: FanOutOptions,
  succeeded: () => void,
): BatchWriter {
  const broken = new AbortController()
  let waiting = noDeliveries
  /** What is being saved: the database does not know it yet. */
  let saving = noDeliveries
  let reached: Checkpoint | undefined
  let uncheckpointed = 0
  let writing: Promise<void> | undefined

  const hasWork = () => waiting.deliveries.length > 0 || waiting.forgotten.length > 0

  async function flush(checkpoint: Checkpoint): Promise<void> {
    saving = waiting
    waiting = noDeliveries
    uncheckpointed = 0
    const kept = await repository.save(saving.deliveries, checkpoint, saving.throttleMarks, saving.forgotten)
    if (saving.forgotten.length > 0) forget(saving.forgotten)
    saving = noDeliveries
    turn.checkpoint = checkpoint.position
    succeeded()
    if (kept.length > 0) wake(new Set(kept.map(({ endpoint }) => endpoint.id)))
  }

  /** Waits one turn of the event loop, so that events that arrive together are saved together. */
  async function write(): Promise<void> {
    await setImmediate()
    while (reached !== undefined && (hasWork() || uncheckpointed >= maxUncheckpointed)) await flush(reached)
    writing = undefined
  }

  return {
    failed: broken.signal,
    add: async ({ position, stream, revision, id }: RecordedEvent, made: FanOutResult) => {
      // A save erases subjects in the deliveries saved with it too, and these deliveries came after the erasure.
      if (made.deliveries.some(({ subject }) => waiting.forgotten.includes(subject))) await writing
      reached = { position, stream, revision, id }
      // Save the checkpoint with a change of settings, so that after a crash new settings do not apply to earlier
      // events.
      uncheckpointed = ownerOf(stream) === undefined ? uncheckpointed + 1 : maxUncheckpointed
      waiting = merged(waiting, made)
      if (!hasWork() && uncheckpointed < maxUncheckpointed) return
      writing ??= write()
      writing.catch(() => broken.abort())
      if (waiting.deliveries.length >= maxWaiting) await writing
    },
    lastNotifiedAt: async (endpointId, throttle) => {
      const all = [...saving.throttleMarks, ...waiting.throttleMarks]
      const last = all.findLast((one) => one.endpointId === endpointId && one.throttle === throttle)
      return last?.at ?? repository.lastNotifiedAt(endpointId, throttle)
    },
    finish: async () => {
      await writing
      if (reached !== undefined) await flush(reached)
    },
  }
}

/** Merges two results; copies lists only if there is something to add. */
function merged(waiting: FanOutResult, made: FanOutResult): FanOutResult {
  if (made === noDeliveries) return waiting
  return {
    deliveries: [...waiting.deliveries, ...made.deliveries],
    throttleMarks: [...waiting.throttleMarks, ...made.throttleMarks],
    forgotten: [...waiting.forgotten, ...made.forgotten],
  }
}
