import type { Event } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'

/** A write was proposed. Its arguments and reason are personal, because they may concern anyone. */
export type WriteProposed = Event<
  'WriteProposed',
  {
    readonly proposal_id: number
    readonly business_id: number
    readonly tool: string
    /** The account that proposed it, and its sign-in. */
    readonly by: number
    readonly sign_in?: string
    /** The API key that it was proposed with. */
    readonly key_id?: number
    /** ISO 8601, UTC, like all instants here. */
    readonly at: string
    readonly expires_at: string
    readonly personal?: { readonly arguments: Readonly<Record<string, unknown>>; readonly reason?: string }
  }
>

/** The proposal was approved, and executed in the same transaction; `answer` is the tool's answer. */
export type WriteApproved = Event<
  'WriteApproved',
  {
    readonly proposal_id: number
    readonly by: number
    readonly at: string
    readonly answer: Readonly<Record<string, unknown>>
  }
>

/** The proposal was rejected, and nothing was done. */
export type WriteRejected = Event<
  'WriteRejected',
  {
    readonly proposal_id: number
    readonly by: number
    readonly at: string
    readonly personal?: { readonly reason: string }
  }
>

/** The personal data of the proposal was erased. */
type ProposalErased = Event<'ProposalErased', { readonly proposal_id: number; readonly at: string }>

/** The events of a proposal. */
export type ApprovalEvent = WriteProposed | WriteApproved | WriteRejected | ProposalErased

/** The shapes of the events of approvals. */
export const approvalEventShapes: ShapesOf<ApprovalEvent> = {
  WriteProposed: {
    proposal_id: 'number',
    business_id: 'number',
    tool: 'text',
    by: 'number',
    sign_in: 'text?',
    key_id: 'number?',
    at: 'text',
    expires_at: 'text',
  },
  WriteApproved: { proposal_id: 'number', by: 'number', at: 'text', answer: 'object' },
  WriteRejected: { proposal_id: 'number', by: 'number', at: 'text' },
  ProposalErased: { proposal_id: 'number', at: 'text' },
}
