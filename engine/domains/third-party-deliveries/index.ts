import type { Gives, Giving } from '../../entity/domain.ts'
import { eventShapesOf } from '../../entity/event-shapes.ts'
import type { EntityEvent } from '../../entity/machine.ts'
import { operationsOf } from '../../entity/operations.ts'
import { type Sending, webhookEventSourceOf, webhookEventTypesOf } from '../../entity/webhook-events.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import {
  assignmentModel,
  giveByRule,
  isWithProvider,
  machine,
  openDeliveries,
  providerOf,
  reassignThirdParty,
} from './assign.ts'
import { assignment } from './assignment.ts'
import { thirdPartyMessages } from './messages.ts'
import { moves } from './moves.ts'
import type { Report } from './packages.ts'

export type { ThirdPartyCode } from './messages.ts'
export type { ThirdPartyDeliveryPorts } from './ports.ts'

const sending: Sending = {
  channel: 'third_party_delivery',
  prefix: 'TPD',
  idMember: 'event_id',
  audience: ({ business_id, provider }) => ({
    kind: 'provider',
    businessId: Number(business_id),
    provider: String(provider),
  }),
}

const source = webhookEventSourceOf(machine, sending)

/**
 * Whether an event has a webhook event. The provider reports the last delivery and the loss of packages itself, so it
 * is not notified of them.
 */
function hasWebhookEvent({ type, data }: RecordedEvent<EntityEvent>): boolean {
  if (type !== moves.report.event) return true
  const reports = data.packages as readonly Report[]
  return data.to === 'partially_delivered' && reports.some(({ outcome }) => outcome === 'delivered')
}

/** What others get from here, by who needs it. */
const gives = {
  assignmentRules: { giveByRule, isWithProvider, openDeliveries },
  orders: { providerOf },
} satisfies Gives

/** Orders that other providers deliver: who has which order, and the outcome of its packages. */
export const thirdPartyDeliveriesDomain: Giving<typeof gives> = {
  gives,
  name: 'third-party-deliveries',
  messages: [thirdPartyMessages],
  events: { third_party: eventShapesOf(assignment) },
  tables: [assignment],
  operations: [
    ...operationsOf(machine, assignmentModel),
    reassignThirdParty,
    ...operationsOf(machine, assignmentModel, 'providerApi'),
  ],
  readModels: [assignmentModel],
  webhookEventTypes: webhookEventTypesOf(assignment, sending),
  webhookEventSources: [
    {
      ...source,
      webhookEventsOf: async (facts, event) =>
        hasWebhookEvent(event as RecordedEvent<EntityEvent>) ? source.webhookEventsOf(facts, event) : [],
    },
  ],
}
