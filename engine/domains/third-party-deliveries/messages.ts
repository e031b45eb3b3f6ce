import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Orders that another provider delivers. */
export const thirdPartyMessages = {
  not_found: {
    third_party_assignment_not_found: 'There is no assignment {assignment}.',
  },
  conflict: {
    third_party_status_forbids: '{move} is not possible while the assignment {assignment} is {status}.',
    third_party_order_taken: 'The order {order} has the assignment {assignment} already, which is {status}.',
    third_party_same_provider: 'The assignment is with the provider {name} already.',
    third_party_package_settled: 'The package {number} was reported as {outcome} already.',
    third_party_leg_taken: '{name} is on a leg already.',
  },
  invalid: {
    third_party_package_unknown: 'The assignment {assignment} has no package {number}.',
  },
} as const satisfies Catalogue

/** A code of orders that another provider delivers. */
export type ThirdPartyCode = CodeOf<typeof thirdPartyMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<ThirdPartyCode, 'third-party-deliveries'> {}
}
