import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Event, RecordedEvent } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { type MarkUp, type Nameable, ruleFindings } from './mark-up.ts'

/** The stream of the mark-ups of a business: each event is a version, from 1 on. */
function markUpStream(businessId: number): StreamName {
  return `mark_ups-${businessId}`
}

/** Mark-ups hold from now on. The ones before stay, so that an old price can be explained. */
type MarkUpsPublished = Event<
  'MarkUpsPublished',
  {
    /** ISO 8601, UTC. */
    readonly at: string
    /** The acting account. */
    readonly by: number
    readonly business_id: number
    /** That of the business, in which the amounts are. */
    readonly currency: string
    readonly rules: readonly MarkUp[]
  }
>

/** The shape of this event. */
export const markUpEventShapes: ShapesOf<MarkUpsPublished> = {
  MarkUpsPublished: { at: 'text', by: 'number', business_id: 'number', currency: 'text', rules: 'list' },
}

/** A version of the mark-ups of a business. */
export interface Published extends Pick<MarkUpsPublished['data'], 'at' | 'currency' | 'rules'> {
  readonly version: number
}

/**
 * Publishes the mark-ups of the caller's business; the same rules again are no version. Refuses with `invalid_input` and findings,
 * and with `mark_ups_changed` if another version than the one that was changed holds by now.
 */
export async function publish(
  context: Context,
  rules: readonly MarkUp[],
  { changed, nameable }: { readonly changed: number | undefined; readonly nameable: Nameable },
): Promise<void> {
  const { id: by, business } = accountOf(context)
  const { id: business_id, currency } = business
  const findings = ruleFindings(rules, currency, nameable)
  if (findings.length > 0) throw new EngineError('invalid_input', { count: findings.length }, findings)
  await retryOnConflict(async () => {
    const current = await publishedMarkUps(context)
    const version = current?.version ?? 0
    if (current?.currency === currency && JSON.stringify(current.rules) === JSON.stringify(rules)) return
    if (changed !== undefined && changed !== version) throw new EngineError('mark_ups_changed', { version })
    const data = { at: isoOf(context.clock()), by, business_id, currency, rules }
    const events = [toNewEvent(context)({ type: 'MarkUpsPublished', data } satisfies MarkUpsPublished)]
    const expected = version === 0 ? 'no-stream' : version - 1
    await context.store.append(markUpStream(business_id), events, expected)
  })
}

/** The mark-ups of the caller's business, or an earlier version of them; version 0 without rules if it has none. */
export async function publishedMarkUps(
  context: Pick<Context, 'store' | 'caller'>,
  version?: number,
): Promise<Published | undefined> {
  const { id, currency } = accountOf(context).business
  const range = version === undefined ? { backwards: true, limit: 1 } : { from: version - 1, limit: 1 }
  const [event] = (await context.store.read(markUpStream(id), range)) as readonly RecordedEvent<MarkUpsPublished>[]
  if (event === undefined) return version === undefined ? { version: 0, at: '', currency, rules: [] } : undefined
  const { at, rules, currency: priced } = event.data
  return { version: event.revision + 1, at, currency: priced, rules }
}
