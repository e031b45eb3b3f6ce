import type { Caller, Facts, Ports } from '../../kernel/context.ts'
import type { Timeline } from '../../kernel/timeline.ts'
import type { StoredEvent } from './events.ts'

/** As much of a timeline as decides whether a provider may see it. */
export interface Reported extends Pick<Timeline, 'subject'> {
  readonly events: readonly Pick<StoredEvent, 'source'>[]
  readonly future_events?: readonly Pick<StoredEvent, 'source'>[]
}

/**
 * Whether a provider that reports for one business may see a timeline: that of an order of its business, and what nobody
 * else has reported, unless that is of another business.
 */
export async function boundSees(
  context: Facts & { readonly ports: Ports },
  { name, businessId }: Pick<Caller, 'name' | 'businessId'>,
  { subject, events, future_events: future = [] }: Reported,
): Promise<boolean> {
  const businesses = await context.ports.tracking.businessesOf(context, subject)
  if (businesses.length > 0) return businesses.every((id) => id === businessId)
  const reported = [...events, ...future]
  return reported.length > 0 && reported.every(({ source }) => source?.provider === name)
}

/** Whether a provider may open a timeline with what it says of it: not if it may not see the timeline itself. */
export async function countsFor(
  context: Facts & { readonly ports: Ports },
  name: string,
  timeline: Reported,
): Promise<boolean> {
  const businessId = await context.ports.tracking.businessOfProvider(context, name)
  return businessId === undefined || boundSees(context, { name, businessId }, timeline)
}
