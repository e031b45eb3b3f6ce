import type { Domain } from '../../entity/domain.ts'
import { eventShapesOf } from '../../entity/event-shapes.ts'
import { operationsOf } from '../../entity/operations.ts'
import { webhookEventSourceOf } from '../../entity/webhook-events.ts'
import { dueHandoffs, expireHandoff, expireHandoffs } from './expiry.ts'
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

export { dueHandoffs, expireHandoff } from './expiry.ts'
export type { HandoffCode } from './messages.ts'
export type { HandoffPorts } from './ports.ts'
export {
  handoffEndpoints,
  handoffSubscriptions,
  loadSubscriptions,
  type SubscriptionState,
  subscriptionOwnerOf,
  subscriptionStream,
} from './subscriptions/decider.ts'
export {
  createPartnerSubscription,
  listPartnerSubscriptions,
  revokePartnerSubscription,
  testPartnerSubscription,
} from './subscriptions/partner-operations.ts'

/** Orders that partners hand over by the order handoff protocol, and the partners' subscriptions to their events. */
export const handoffsDomain: Domain = {
  name: 'handoffs',
  messages: [handoffMessages],
  events: {
    handoff: eventShapesOf(handoff),
    handoff_reference: handoffReferenceEventShapes,
    webhook_subscription: subscriptionEventShapes,
  },
  tables: [handoff],
  deadlines: [{ name: 'handoff', due: dueHandoffs, pass: expireHandoff, within: 500 }],
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
