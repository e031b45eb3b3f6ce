import type { Domain } from '../../kernel/domain.ts'
import { createSettlementLine, eraseHandoff, expireHandoffs, trackHandoff } from './course.ts'
import { acceptAmendment, acceptHandoff, rejectAmendment, rejectHandoff } from './decisions.ts'
import { handoffEventTypes } from './events.ts'
import { handoffModel } from './handoff-model.ts'
import { listHandoffMessages } from './list-messages.ts'
import { messageModel } from './message-model.ts'
import { handoffMessages } from './messages.ts'
import { handoffNoticeSource, handoffNotices } from './notices.ts'
import { getHandoff, getOwnHandoff, listHandoffs, listOwnHandoffs } from './operations.ts'
import { cancelHandoff, proposeAmendment, proposeHandoff } from './partner.ts'
import { subscriptionEventTypes } from './subscriptions/events.ts'
import {
  createHandoffSubscription,
  listHandoffSubscriptions,
  revokeHandoffSubscription,
} from './subscriptions/operations.ts'

/** Orders that partners hand over by the order handoff protocol, and where they are told what becomes of them. */
export const handoffsDomain: Domain = {
  name: 'handoffs',
  messages: [handoffMessages],
  events: {
    handoff: handoffEventTypes,
    handoff_reference: ['HandoffReferenceTaken'],
    webhook_subscription: subscriptionEventTypes,
  },
  operations: [
    proposeHandoff,
    listOwnHandoffs,
    getOwnHandoff,
    cancelHandoff,
    proposeAmendment,
    listHandoffMessages,
    createHandoffSubscription,
    listHandoffSubscriptions,
    revokeHandoffSubscription,
    listHandoffs,
    expireHandoffs,
    getHandoff,
    acceptHandoff,
    rejectHandoff,
    acceptAmendment,
    rejectAmendment,
    trackHandoff,
    createSettlementLine,
    eraseHandoff,
  ],
  readModels: [handoffModel, messageModel],
  erasures: ['HandoffPersonalDataErased'],
  notices: handoffNotices,
  noticeSources: [handoffNoticeSource],
}
