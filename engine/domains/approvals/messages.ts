import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Approvals. */
export const approvalMessages = {
  forbidden: {
    own_proposal: 'A proposal cannot be approved in the session that proposed it.',
  },
  not_found: {
    proposal_not_found: 'There is no proposal {proposal}.',
  },
  conflict: {
    proposal_decided: 'Proposal {proposal} is already {status}.',
    proposer_gone: 'The account that proposed this is no longer active.',
  },
  invalid: {
    not_proposable: '{tool} cannot be proposed: only writing tools can, and decisions on proposals cannot.',
  },
} as const satisfies Catalogue

/** A code of approvals. */
export type ApprovalCode = CodeOf<typeof approvalMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<ApprovalCode, 'approvals'> {}
}
