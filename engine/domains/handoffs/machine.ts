import { readModelOf } from '../../entity/list.ts'
import type { Machine } from '../../entity/operations.ts'
import { type Sending, webhookEventTypesOf } from '../../entity/webhook-events.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { codeOf, isExperimental, isTerminal } from '../../kernel/profile.ts'
import { partnerOf } from './access.ts'
import { handoff } from './handoff.ts'
import { propose } from './propose.ts'
import { handoffs } from './rules.ts'

/** The read model for lists and deadlines of handoffs; without personal data. */
export const handoffModel = readModelOf(handoff)

/** Handoffs, with the special rules of their moves. */
export const machine: Machine<typeof handoff> = {
  entity: handoff,
  decider: handoffs,
  prepare: {
    propose: async (context) => {
      const { businessId: business_id, provider } = partnerOf(context)
      return { business_id, provider }
    },
    track: async (context, { status_code }) => ({ is_last: isLast(context, String(status_code)) }),
  },
  answer: {
    propose_amendment: ({ events }) => ({ amendment_id: events[0]?.data.amendment_id }),
    settle: ({ events }) => ({ line_id: events[0]?.data.line_id }),
  },
  create: propose,
}

/** Whether a code is terminal. Refuses a code that is not in the profile with `unknown_status_code`. */
function isLast({ profiles: [profile] }: Pick<Context, 'profiles'>, code: string): boolean {
  if (codeOf(profile, code) === undefined && !isExperimental(code))
    throw new EngineError('unknown_status_code', { received: code, profile: profile.name })
  return isTerminal(profile, code)
}

/** How partners receive webhook events about their handoffs. */
export const sending: Sending = {
  channel: 'order_handoff',
  prefix: 'OHM',
  idMember: 'message_id',
  audience: ({ business_id, provider }) => ({
    kind: 'provider',
    businessId: Number(business_id),
    provider: String(provider),
  }),
}

/** The webhook events for partners. */
export const handoffWebhookEventTypes = webhookEventTypesOf(handoff, sending)

/** Their names, which subscriptions choose from. */
export const handoffWebhookEventNames = handoffWebhookEventTypes.map(({ name }) => name)
