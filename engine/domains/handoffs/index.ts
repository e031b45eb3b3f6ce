import { eventTypesOf } from '../../entity/machine.ts'
import { operationsOf } from '../../entity/operations.ts'
import { webhookEventSourceOf } from '../../entity/webhook-events.ts'
import type { Domain } from '../../kernel/domain.ts'
import { expireHandoffs } from './expiry.ts'
import { handoff } from './handoff.ts'
import { listHandoffMessages } from './list-messages.ts'
import { handoffModel, handoffWebhookEventTypes, machine, sending } from './machine.ts'
import { messageModel } from './message-model.ts'
import { handoffMessages } from './messages.ts'
import { subscriptionEventTypes } from './subscriptions/events.ts'
import { subscriptionModel } from './subscriptions/model.ts'
import {
  createHandoffSubscription,
  listHandoffSubscriptions,
  revokeHandoffSubscription,
} from './subscriptions/operations.ts'
import {
  createPartnerSubscription,
  listPartnerSubscriptions,
  revokePartnerSubscription,
  testPartnerSubscription,
} from './subscriptions/partner-operations.ts'

const [list, ...others] = operationsOf(machine, handoffModel)

/** Orders that partners hand over by the order handoff protocol, and the partners' subscriptions to their events. */
export const handoffsDomain: Domain = {
  name: 'handoffs',
  messages: [handoffMessages],
  events: {
    handoff: eventTypesOf(handoff),
    handoff_reference: ['HandoffReferenceTaken'],
    webhook_subscription: subscriptionEventTypes,
  },
  operations: [
    ...operationsOf(machine, handoffModel, 'providerApi'),
    listHandoffMessages,
    createHandoffSubscription,
    listHandoffSubscriptions,
    revokeHandoffSubscription,
    listPartnerSubscriptions,
    createPartnerSubscription,
    revokePartnerSubscription,
    testPartnerSubscription,
    ...(list === undefined ? [] : [list]),
    expireHandoffs,
    ...others,
  ],
  readModels: [handoffModel, messageModel, subscriptionModel],
  erasures: ['HandoffPersonalDataErased'],
  webhookEventTypes: handoffWebhookEventTypes,
  webhookEventSources: [webhookEventSourceOf(machine, sending)],
}
