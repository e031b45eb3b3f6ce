import { setImmediate } from 'node:timers/promises'
import type { RecordedEvent } from '../../../engine/index.ts'
import type { Checkpoint } from '../../node/deliveries.ts'
import type { Progress } from '../progress.ts'
import { type FanOutResult, type LastNotifiedAt, noDeliveries, type SavePage } from './make.ts'
import type { FanOutOptions } from './options.ts'

/** Maximum number of unsaved deliveries; the event flow waits when it is reached. */
const maxWaiting = 500

/** Events without deliveries after which the checkpoint is saved. */
const maxUncheckpointed = 1_000

/** Saves deliveries together with the checkpoint. */
interface BatchWriter {
  /** Aborted when a save fails: the flow ends and restarts after the last checkpoint. */
  readonly failed: AbortSignal
  add(event: RecordedEvent, made: FanOutResult): Promise<void>
  /** Saves a part of the deliveries of the next event. */
  readonly addPage: SavePage
  readonly lastNotifiedAt: LastNotifiedAt
  /** Saves the rest; throws if a save has failed. */
  finish(): Promise<void>
}

/**
 * Saves deliveries, in batches if they come faster than they are saved; `succeeded` is called after each save. `start` is
 * the checkpoint in the database.
 */
export function createBatchWriter(
  { repository, wake, forget, turn, ownerOf, progress }: FanOutOptions & Required<Pick<FanOutOptions, 'progress'>>,
  start: Checkpoint,
  succeeded: () => void,
): BatchWriter {
  const broken = new AbortController()
  const unsaved = createUnsaved({ repository, wake, forget })
  let reached: Checkpoint | undefined
  let uncheckpointed = 0
  let writing: Promise<void> | undefined

  const isDue = () => unsaved.count() > 0 || uncheckpointed >= maxUncheckpointed

  async function flush(): Promise<void> {
    const checkpoint = reached ?? start
    uncheckpointed = 0
    await unsaved.save(checkpoint)
    if (reached !== undefined) turn.checkpoint = checkpoint.position
    succeeded()
  }

  /** Waits one turn of the event loop, so that events that arrive together are saved together. */
  async function write(): Promise<void> {
    await setImmediate()
    while (isDue()) await flush()
    writing = undefined
    noteSaved(progress, reached)
  }

  async function take(made: FanOutResult): Promise<void> {
    // A save erases subjects in the deliveries saved with it too, and these deliveries came after the erasure.
    if (unsaved.forgets(made)) await writing
    unsaved.add(made)
  }

  async function saveSoon(): Promise<void> {
    if (!isDue()) return writing === undefined ? noteSaved(progress, reached) : undefined
    writing ??= write()
    writing.catch(() => broken.abort())
    if (unsaved.count() >= maxWaiting) await writing
  }

  return {
    failed: broken.signal,
    add: async ({ position, stream, revision, id }: RecordedEvent, made: FanOutResult) => {
      await take(made)
      reached = { position, stream, revision, id }
      // With a change of settings, the checkpoint is saved: after a crash, new settings do not apply to earlier events.
      uncheckpointed = ownerOf(stream) === undefined ? uncheckpointed + 1 : maxUncheckpointed
      return saveSoon()
    },
    addPage: (page) => take(page).then(saveSoon),
    lastNotifiedAt: unsaved.lastNotifiedAt,
    finish: async () => {
      await writing
      if (reached !== undefined || isDue()) await flush()
    },
  }
}

/** Nothing is left to be saved of the events so far. */
function noteSaved(progress: Progress, reached: Checkpoint | undefined): void {
  progress.saved = reached?.position ?? progress.saved
}

/** What is not saved yet: what waits, and what is being saved, which the database does not know either. */
function createUnsaved({ repository, wake, forget }: Pick<FanOutOptions, 'repository' | 'wake' | 'forget'>) {
  let waiting = noDeliveries
  let saving = noDeliveries

  /** Saves what waits, and wakes those who send it. */
  async function save(checkpoint: Checkpoint): Promise<void> {
    saving = waiting
    waiting = noDeliveries
    const kept = await repository.save(saving.deliveries, checkpoint, saving.throttleMarks, saving.forgotten)
    if (saving.forgotten.length > 0) forget(saving.forgotten)
    saving = noDeliveries
    if (kept.length > 0) wake(new Set(kept.map(({ endpoint }) => endpoint.id)))
  }

  const lastNotifiedAt: LastNotifiedAt = async (endpointId, throttle) => {
    const all = [...saving.throttleMarks, ...waiting.throttleMarks]
    const last = all.findLast((one) => one.endpointId === endpointId && one.throttle === throttle)
    return last?.at ?? repository.lastNotifiedAt(endpointId, throttle)
  }

  return {
    save,
    lastNotifiedAt,
    add: (made: FanOutResult) => {
      waiting = merged(waiting, made)
    },
    /** How much waits that has to be saved. */
    count: () => waiting.deliveries.length + waiting.forgotten.length,
    /** Whether what waits erases the subject of one of these deliveries. */
    forgets: ({ deliveries }: FanOutResult) => deliveries.some(({ subject }) => waiting.forgotten.includes(subject)),
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
