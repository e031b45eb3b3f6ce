import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { Append } from '../../kernel/event-store.ts'
import { isObject } from '../../kernel/members.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { approvalModel, approvedOrderModel } from './approval-model.ts'
import { approvals, type Proposal } from './decider.ts'
import type { ApprovalEvent } from './events.ts'
import { approvalStream } from './load.ts'

/** Erases the personal data about an order from approved proposals: the arguments of their tools. */
export async function eraseProposalsOf(context: Context, orderId: number): Promise<void> {
  const rows = await context.models.rows(approvedOrderModel, { order_id: orderId })
  const command = { type: 'EraseProposal', at: isoOf(context.clock()) } as const
  for (const { proposal_id } of rows)
    await execute(context.store, approvals, approvalStream(Number(proposal_id)), command, toNewEvent(context))
}

/** A person whose data is erased, and what proposals may say of the person. */
interface ErasedPerson {
  readonly id: number
  readonly businessId: number
  readonly name?: string | undefined
  readonly email?: string | undefined
}

/** The appends that erase the proposals that a person made, and those that name the person, whatever became of them. */
export async function erasePersonsProposals(context: Context, person: ErasedPerson): Promise<readonly Append[]> {
  const rows = await context.models.rows(approvalModel, { business_id: person.businessId })
  const command = { type: 'EraseProposal', at: isoOf(context.clock()) } as const
  const appends: Append[] = []
  for (const { proposal_id } of rows) {
    const stream = approvalStream(Number(proposal_id))
    const history = (await context.store.read(stream)) as readonly RecordedEvent<ApprovalEvent>[]
    const proposal = fold(approvals, history)
    const expected = history.at(-1)?.revision
    if (proposal === undefined || expected === undefined || !concerns(proposal, person)) continue
    const events = approvals.decide(command, proposal).map(toNewEvent(context))
    if (events.length > 0) appends.push({ stream, events, expected })
  }
  return appends
}

function concerns({ proposed, decided }: Proposal, person: ErasedPerson): boolean {
  const reason = decided !== undefined && 'personal' in decided ? decided.personal : undefined
  return proposed.by === person.id || names(proposed.personal, person) || names(reason, person)
}

/** Members of the inputs of tools that name an account. */
const accountMember = /(^|_)(account|broker|contractor|customer|driver|user)_ids?$/

/** Whether a value names a person: by the id, the address, or the whole name. */
function names(value: unknown, person: ErasedPerson, member = ''): boolean {
  if (typeof value === 'number') return value === person.id && accountMember.test(member)
  if (typeof value === 'string') return mentions(value, person)
  if (Array.isArray(value)) return value.some((item) => names(item, person, member))
  return isObject(value) && Object.entries(value).some(([name, item]) => names(item, person, name))
}

function mentions(text: string, { name, email }: ErasedPerson): boolean {
  const words = ` ${wordsOf(text)} `
  return [name, email].some((known) => known !== undefined && words.includes(` ${wordsOf(known)} `))
}

/** The words of a text as they are compared: without case and punctuation. */
function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(' ')
}
