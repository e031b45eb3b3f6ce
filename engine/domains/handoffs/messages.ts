import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Orders that partners hand over. */
export const handoffMessages = {
  not_found: {
    handoff_not_found: 'There is no handoff {handoff}.',
    handoff_message_not_found: 'No message of this id was sent to this partner.',
    amendment_not_found: 'The handoff {handoff} has no amendment {amendment}.',
    handoff_subscription_not_found: 'There is no subscription {subscription}.',
  },
  conflict: {
    handoff_status_forbids: '{move} is not possible while the handoff {handoff} is {status}.',
    handoff_has_expired: 'The handoff {handoff} has expired: it could be decided until {expiry}.',
    handoff_full: 'The handoff {handoff} takes no more than {limit} of these.',
    handoff_reference_taken: 'The handoff {handoff} has this partner_reference already.',
    amendment_open: 'The amendment {amendment} of the handoff {handoff} is not decided yet.',
    amendment_settled: 'The amendment {amendment} is {status} already.',
    handoff_subscription_exists: 'The subscription {subscription} has this URL already.',
    handoff_subscriptions_too_many: 'At most {limit} subscriptions are possible. Revoke one first.',
  },
  invalid: {
    amendment_empty: 'The amendment changes nothing.',
  },
} as const satisfies Catalogue

/** A code of orders that partners hand over. */
export type HandoffCode = CodeOf<typeof handoffMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<HandoffCode, 'handoffs'> {}
}
