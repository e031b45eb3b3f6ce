import { eventShapesOf } from '../../entity/event-shapes.ts'
import { operationsOf } from '../../entity/operations.ts'
import { webhookEventSourceOf } from '../../entity/webhook-events.ts'
import type { Domain } from '../../kernel/domain.ts'
import { expireHandoffs } from './expiry.ts'
import { handoff } from './handoff.ts'
import { listHandoffMessages } from './list-messages.ts'
import { handoffModel, handoffWebhookEventTypes, machine, sending } from './machine.ts'
import { messageModel } from './message-model.ts'
import { handoffMessages } from './messages.ts'
import { subscriptionEventShapes } from './subscriptions/events.ts'
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

import { handoffReferenceEventShapes } from './propose.ts'

/** Orders that partners hand over by the order handoff protocol, and the partners' subscriptions to their events. */
export const handoffsDomain: Domain = {
  name: 'handoffs',
  messages: [handoffMessages],
  events: {
    handoff: eventShapesOf(handoff),
    handoff_reference: handoffReferenceEventShapes,
    webhook_subscription: subscriptionEventShapes,
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
