import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import { pathTo, within } from '../../kernel/finding.ts'
import { parse } from '../../kernel/parse.ts'
import { checkedReadings, readingSchema, type SensorReading } from '../../kernel/sensor-reading.ts'
import { passed } from '../../kernel/steps.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { instantOf } from '../../kernel/time.ts'
import type { Subject } from '../../kernel/timeline.ts'
import { tracking } from './commands.ts'
import { placeEvent } from './place.ts'
import { type CheckedRecord, isRefusal } from './records.ts'
import { reservedNames } from './reserved-names.ts'
import { subjectGuardOf } from './subject-guard.ts'
import { createWorkspace, type Workspace } from './workspace.ts'

/** A thing that was measured, by whom, and when (epoch milliseconds). */
interface Measured {
  readonly subject: Subject
  readonly provider: string
  readonly at: number
}

/** The timeline of a measured thing. */
interface PlacedThing {
  readonly timeline: StreamName
  readonly subject: Subject
  readonly isErased: boolean
}

/**
 * Finds the timeline of a measured thing as events find theirs, or opens it; the appends note in it that it was measured. Throws
 * the refusals of events.
 */
export async function placeMeasured(
  context: Context,
  { subject, provider, at }: Measured,
): Promise<PlacedThing & { readonly appends: readonly Append[] }> {
  const workspace = createWorkspace(context)
  const guard = subjectGuardOf(context)
  const now = context.clock()
  const thing = await passed(() => {
    guard?.admit(subject)
    const admit = guard && { admit: guard.admit }
    const placed = placeEvent(workspace, { subject, provider, at, now, ...admit, isIn: () => false })
    const known = workspace.timeline(placed.timeline)
    guard?.admit(known.subject)
    if (known.entries.length === 0) guard?.admitNew(subject, workspace)
    for (const { identifier, from, providers } of placed.claims)
      workspace.assign(identifier, placed.timeline, from, providers)
    noteReadings(workspace, placed.timeline, { subject, provider, now })
    const { isErased, subject: all } = workspace.timeline(placed.timeline)
    return { timeline: placed.timeline, subject: all, isErased }
  })
  const names = await reservedNames(context, [{ provider, outcome: 'accepted' }])
  return { ...thing, appends: [...workspace.appends(), ...names] }
}

/** Notes in a timeline that the thing was measured, unless it is noted. */
export function noteReadings(
  workspace: Workspace,
  timeline: StreamName,
  noted: { readonly subject: Subject; readonly provider: string; readonly now: number },
): void {
  workspace.record(timeline, tracking.decide({ type: 'NoteReadings', ...noted }, workspace.timeline(timeline)))
}

/** What sensors measured of a thing, as an event told it. */
export interface MeasuredThing extends PlacedThing {
  readonly provider: string
  readonly readings: readonly SensorReading[]
}

/** The appends that record what sensors measured. Throws `too_many_readings` and `too_many_series`. */
export async function readingsOf(context: Context, measured: readonly MeasuredThing[]): Promise<readonly Append[]> {
  if (measured.length === 0) return []
  const book = context.ports.tracking.openReadings(context)
  for (const { readings, ...thing } of measured) await book.add(thing, readings)
  return book.appends()
}

const readingsSchema = v.array(readingSchema)

/** A checked record with the readings of its event, or with what is wrong with them; `now` in epoch milliseconds. */
export function withReadings(record: CheckedRecord, now: number): CheckedRecord {
  if (isRefusal(record) || record.kind === 'source' || record.event.sensors === undefined) return record
  const path = pathTo(record.path, 'sensors')
  const { value, findings } = parse(readingsSchema, record.event.sensors)
  if (findings !== undefined) return findings.map((finding) => within(path, finding))
  const checked = checkedReadings(value, { path, time: instantOf(record.event.occurred_at), now })
  return checked.findings.length > 0 ? checked.findings : { ...record, readings: checked.readings }
}
