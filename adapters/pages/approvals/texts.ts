import { inEach } from '../../locales/catalogue.ts'
import { textsOf } from '../../locales/texts.ts'
import { valueTexts } from '../signed-in/value-texts.ts'

const own = textsOf('page.approvals', {
  title: 'Proposals',
  lead: 'What agents have proposed, and what waits for a decision.',
  signIn: 'To see what agents propose, and to decide.',
  number: 'Account {id}',
  you: 'you',
  filter: { label: 'Whose proposals', all: 'All', mine: 'Mine only' },
  count: '{total, number} waiting',
  none: 'No proposal waits for a decision.',
  noneMine: 'None of your proposals waits for a decision.',
  zone: 'Newest first. Times are in {zone}.',
  proposal: 'Proposal {id}',
  back: 'All proposals',
  by: 'Proposed by',
  at: 'Proposed at',
  expires: 'Expires',
  expired: 'Expired',
  left: {
    days: 'in {days, plural, one {# day} other {# days}}',
    hours: 'in {hours, plural, one {# hour} other {# hours}}',
    minutes: 'in {minutes, plural, one {# minute} other {# minutes}}',
    soon: 'in less than a minute',
  },
  reason: 'Reason',
  decidedBy: 'Decided by',
  decidedAt: 'Decided at',
  risks: { low: 'Low risk', medium: 'Medium risk', high: 'High risk' },
  statuses: { pending: 'Waiting', approved: 'Approved', rejected: 'Rejected', expired: 'Expired' },
  refusal: {
    title: 'It could not be carried out now',
    hint: 'An approval would be refused now, and the proposal would keep waiting.',
  },
  decide: {
    title: 'Your decision',
    approve: 'Approve and carry out',
    approveHint: 'It is carried out at once, on behalf of the account that proposed it.',
    reject: 'Reject',
    rejectHint: 'Nothing is carried out.',
    why: 'Reason (optional)',
    cannot: 'Your account can view this proposal; somebody else has to decide.',
  },
  done: {
    approved: 'Approved: it has been carried out.',
    unsuccessful: 'Approved, but the request was no longer possible. This result was recorded; nothing else changed.',
    rejected: 'Rejected: nothing was done.',
  },
  late: {
    approved: 'This was already approved, so nothing more was done.',
    rejected: 'This was already rejected, so nothing was done.',
    expired: 'This proposal has expired, so nothing was done.',
    pending: 'The data changed at the same moment. Nothing was done; check again and decide.',
  },
  missing: {
    title: 'Proposal not found',
    lead: 'It does not exist, or this account may not see it.',
  },
  forbidden: {
    title: 'This account cannot see proposals',
    lead: 'Sign in with another account, or ask the person who manages the accounts.',
  },
  arriving: 'Opening the proposals',
})

/** The fixed texts of the pages of approvals, in a language. */
export const approvalTexts = inEach((language) => ({ ...own(language), ...valueTexts(language) }))

/** The fixed texts of the pages of approvals in one language. */
export type ApprovalTexts = ReturnType<typeof approvalTexts>
