import { count } from '../signed-in/texts.ts'

/** Every fixed text of the pages of approvals in English; another language is another object of this shape. */
export const en = {
  title: 'Proposals',
  lead: 'What agents would like to do, and what waits for somebody to decide.',
  signIn: 'To see what agents propose, and to decide.',
  number: (id: number) => `Account ${id}`,
  you: 'you',
  filter: { label: 'Whose proposals', all: 'All', mine: 'Mine only' },
  count: (total: number) => `${total} waiting`,
  none: 'Nothing waits for a decision.',
  noneMine: 'Nothing that you proposed waits for a decision.',
  zone: (zone: string) => `Newest first. Times are those of ${zone}.`,
  proposal: (id: number) => `Proposal ${id}`,
  back: 'All proposals',
  by: 'Proposed by',
  at: 'Proposed at',
  expires: 'Expires',
  expired: 'Expired',
  left: { days: inSome('day'), hours: inSome('hour'), minutes: inSome('minute'), soon: 'in less than a minute' },
  reason: 'Reason given',
  decidedBy: 'Decided by',
  decidedAt: 'Decided at',
  risks: { low: 'Low risk', medium: 'Medium risk', high: 'High risk' },
  statuses: { pending: 'Waiting', approved: 'Approved', rejected: 'Rejected', expired: 'Expired' },
  changes: {
    title: 'What would change',
    hint: 'If it were approved now. Names, addresses and notes stand only in what the tool is called with.',
    none: 'Nothing would change.',
    was: 'was',
    becomes: 'becomes',
    left: (facts: number) => `And ${count(facts, 'more change')}, too many to show here.`,
    leftOf: (values: number) => `And ${count(values, 'more value')}, too many to show here.`,
  },
  refusal: {
    title: 'It could not be carried out now',
    hint: 'If it is approved as things stand, it is refused, and waits on.',
  },
  input: {
    title: 'Called with',
    name: 'Argument',
    value: 'Value',
    none: 'It is called without arguments.',
    erased: 'The arguments were erased.',
    empty: 'empty',
    nothing: 'nothing',
    cut: (characters: number) => `(${count(characters, 'character')} of the middle left out)`,
    more: (rows: number) => `Show ${count(rows, 'more argument')}`,
    left: (rows: number) => `And ${count(rows, 'more argument')}, too many to show here.`,
  },
  decide: {
    title: 'Your decision',
    approve: 'Approve and carry out',
    approveHint: 'It is done at once, on behalf of whoever proposed it.',
    reject: 'Reject',
    rejectHint: 'Nothing is done.',
    why: 'Reason (optional)',
    cannot: 'Your account can look at this, and somebody else has to decide.',
  },
  done: {
    approved: 'Approved: it has been carried out.',
    unsuccessful: 'Approved, but what was asked for was not possible any more. That was recorded, and nothing else.',
    rejected: 'Rejected: nothing was done.',
  },
  late: {
    approved: 'This was already approved, so nothing more was done.',
    rejected: 'This was already rejected, so nothing was done.',
    expired: 'The time for this has run out, so nothing was done.',
    pending: 'Something else changed at the same moment. Nothing was done; look again and decide.',
  },
  missing: {
    title: 'There is no such proposal',
    lead: 'Or it is not one that this account may see.',
  },
  forbidden: {
    title: 'This account cannot see proposals',
    lead: 'Sign in with another account, or ask whoever manages the accounts.',
  },
  arriving: 'Opening the proposals',
}

function inSome(one: string): (number: number) => string {
  return (number) => `in ${count(number, one)}`
}

/** The fixed texts of the pages of approvals in one language. */
export type ApprovalTexts = typeof en
