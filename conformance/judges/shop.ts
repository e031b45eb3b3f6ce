import type { Timeline, TimelineEvent } from '../../engine/index.ts'
import { profiles } from '../../profiles/index.ts'
import { isMeant } from './meant.ts'

/** What a timeline proves about a shop's order, derived from the phases of its events and not from a table of codes. */
interface ShopFacts {
  readonly isDelivered: boolean
  /** Some event shows that the carrier had the parcel. */
  readonly wasCarried: boolean
  /** Some event may show it: an unregistered code has no phase. */
  readonly mayBeCarried: boolean
  readonly isCancelled: boolean
  /** Epoch milliseconds at which events occurred. */
  readonly instants: ReadonlySet<number>
  /** The same in whole seconds. */
  readonly seconds: ReadonlySet<number>
}

const carriedPhases = new Set(['inbound', 'transit', 'out_for_delivery', 'delivered', 'return'])
const carriedCodes = ['picked_up', 'delivery_failed', 'overdue']

/** The facts of a timeline. */
export function shopFactsOf(timeline: Timeline): ShopFacts {
  const { profile, events, delivered, current_status } = timeline
  const instants = events.map(({ occurred_at }) => Date.parse(occurred_at))
  // The words of a profile that is not known may be the same and mean something else.
  const isKnown = profiles.some(({ name }) => name === profile)
  const wasCarried = delivered || (isKnown && events.some((event) => showsCarriage(event, timeline)))
  return {
    isDelivered: delivered,
    wasCarried,
    mayBeCarried: wasCarried || events.some(({ status_code }) => status_code.startsWith('x-')),
    isCancelled: isKnown && current_status === 'cancelled' && !wasCarried,
    instants: new Set(instants),
    seconds: new Set(instants.map((instant) => Math.floor(instant / 1000))),
  }
}

function showsCarriage({ phase, status_code }: TimelineEvent, timeline: Timeline): boolean {
  return carriedPhases.has(phase) || isMeant(timeline, status_code, carriedCodes)
}

/** The statuses that an order may have. */
interface Claim {
  readonly isShipped: boolean
  readonly isCancelled: boolean
  /** Left out where the shop has no word for it. */
  readonly isDelivered?: boolean
}

/** What an order claims that its timeline does not bear out, or leaves unsaid that it does. */
export function falseClaims(claim: Claim, timeline: Timeline): readonly (string | false)[] {
  const facts = shopFactsOf(timeline)
  const delivered = claim.isDelivered ?? facts.isDelivered
  return [
    delivered && !facts.isDelivered && 'Says delivered of what is not.',
    !delivered && facts.isDelivered && 'Does not say delivered of what is.',
    claim.isShipped && !facts.mayBeCarried && 'Says shipped though no event shows that the carrier had it.',
    !claim.isShipped && facts.wasCarried && 'Does not say shipped though an event shows that the carrier had it.',
    claim.isCancelled &&
      !isMeant(timeline, timeline.current_status ?? '', ['cancelled']) &&
      'Says cancelled of what is not.',
    claim.isCancelled && facts.wasCarried && 'Says cancelled of what the carrier has had.',
    !claim.isCancelled && !claim.isShipped && facts.isCancelled && 'Does not say cancelled of what is.',
  ]
}
