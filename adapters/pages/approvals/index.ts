import type { Hono } from 'hono'
import { html } from 'hono/html'
import type * as v from 'valibot'
import {
  approvePendingWrite,
  type EngineError,
  getProposal,
  isEngineError,
  listPendingApprovals,
  messageOf,
  rejectPendingWrite,
} from '../../../engine/index.ts'
import { addAccount, outputOf } from '../signed-in/account.ts'
import { withLanguage } from '../signed-in/area.ts'
import type { Result } from '../signed-in/layout.ts'
import type { Visitor } from '../signed-in/session.ts'
import {
  idIn,
  isOneOf,
  message,
  pageIn,
  route,
  type Served,
  signedForm,
  signedIn,
  type Visit,
} from '../signed-in/visit.ts'
import { listPage } from './list.ts'
import { proposalPage } from './proposal.ts'
import { type ApprovalSetting, home } from './setting.ts'

/** One request to these pages. */
type Visited = Visit<ApprovalSetting>

const perPage = 20

/** The pages on which people decide what agents may do: `/mcp-approvals`, and one for each proposal. */
export function addApprovals(app: Hono, served: Served<ApprovalSetting>): void {
  const { answering } = served
  addAccount(app, served)
  const routes = [
    route(app, 'get', home, signedIn(showList)),
    route(app, 'post', `${home}/:id/approve`, signedForm(approve)),
    route(app, 'post', `${home}/:id/reject`, signedForm(reject)),
    // The address of a form, when somebody opens it as a page.
    route(app, 'get', `${home}/:id/:verb{approve|reject}`, async (visit: Visited) =>
      answering.redirect(withLanguage(addressOf(idOf(visit)), visit.setting)),
    ),
    route(app, 'get', `${home}/:id`, signedIn(showProposal)),
  ]
  for (const add of routes) add(served)
}

function addressOf(id: number | undefined): string {
  return id === undefined ? home : `${home}/${id}`
}

/** The id of the proposal in the path; undefined if it is not an id. */
function idOf({ request }: Visited): number | undefined {
  return idIn(request.req.param('id'))
}

async function showList(visit: Visited, visitor: Visitor): Promise<Response> {
  const { request, answering, setting } = visit
  const mine = request.req.query('mine') === '1'
  const page = pageIn(request)
  try {
    const listed = await outputOf(listPendingApprovals, visitor, { mine_only: mine, page, per_page: perPage })
    const names = await namesOf(visitor, ...listed.proposals.map(({ proposed_by }) => proposed_by))
    return await answering.page(200, listPage({ ...listed, mine, names }, visitor, setting))
  } catch (error) {
    if (!isOneOf(error, 'forbidden')) throw error
    return message(visit, 403, { ...setting.approvals.forbidden, more: '' }, visitor)
  }
}

async function showProposal(visit: Visited, visitor: Visitor): Promise<Response> {
  const { request, setting } = visit
  const done = request.req.query('done')
  const { approved, unsuccessful, rejected } = setting.approvals.done
  // The address only requests a message; the facts decide which message is shown.
  return proposalWith(visit, visitor, 200, ({ status, decided_by }) => {
    if (done === undefined || decided_by !== visitor.account.id) return undefined
    if (status === 'rejected') return { kind: 'good', text: rejected }
    return done === 'no' ? { kind: 'bad', text: unsuccessful } : { kind: 'good', text: approved }
  })
}

type Proposal = v.InferOutput<typeof getProposal.output>['proposal']

/** The page of the proposal in the path, with a message that matches its current state. */
async function proposalWith(
  visit: Visited,
  visitor: Visitor,
  status: number,
  say: (proposal: Proposal) => Result | undefined,
): Promise<Response> {
  const { answering, setting } = visit
  const { missing, forbidden } = setting.approvals
  try {
    const seen = await outputOf(getProposal, visitor, { proposal_id: idOf(visit) })
    const { proposed_by, decided_by } = seen.proposal
    const names = await namesOf(visitor, proposed_by, ...(decided_by === null ? [] : [decided_by]))
    const shown = { ...seen, names, message: say(seen.proposal) }
    return await answering.page(status, proposalPage(shown, visitor, setting))
  } catch (error) {
    if (isOneOf(error, 'proposal_not_found', 'invalid_input')) return message(visit, 404, missing, visitor)
    if (isOneOf(error, 'forbidden')) return message(visit, 403, { ...forbidden, more: '' }, visitor)
    throw error
  }
}

/** The names of the accounts of the visitor's own business, for visitors who may read them. */
async function namesOf({ context, account, name }: Visitor, ...ids: readonly number[]) {
  const names = new Map<number, string>(name === undefined ? [] : [[account.id, name]])
  if (!context.caller.scopes.includes('accounts:read')) return names
  for (const id of new Set(ids)) {
    const person = await context.directory.person(context, id)
    if (person?.name !== undefined && person.business.id === account.business.id) names.set(id, person.name)
  }
  return names
}

function approve(visit: Visited, visitor: Visitor): Promise<Response> {
  return decide(visit, visitor, async () => {
    const { answer } = await outputOf(approvePendingWrite, visitor, { proposal_id: idOf(visit) })
    // Some tools record that the request was no longer possible, and answer so.
    return answer.result !== false
  })
}

function reject(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const reason = (form.get('reason') ?? '').replaceAll('\r\n', '\n').trim()
  const input = { proposal_id: idOf(visit), ...(reason === '' ? {} : { reason }) }
  return decide(visit, visitor, async () => (await outputOf(rejectPendingWrite, visitor, input)).result)
}

/** Carries out a decision and redirects to its result. Reloading that page does not repeat the decision. */
async function decide(visit: Visited, visitor: Visitor, carryOut: () => Promise<boolean>): Promise<Response> {
  try {
    const done = (await carryOut()) ? 'yes' : 'no'
    return visit.answering.redirect(withLanguage(`${addressOf(idOf(visit))}?done=${done}`, visit.setting))
  } catch (error) {
    if (!isEngineError(error) || isOneOf(error, 'internal', 'store_unavailable')) throw error
    return proposalWith(visit, visitor, statusOf(error), ({ status }) => refusal(error, status, visit, visitor))
  }
}

function statusOf(error: EngineError): number {
  return isOneOf(error, 'forbidden', 'wrong_account', 'own_proposal') ? 403 : 409
}

function refusal(error: EngineError, status: Proposal['status'], visit: Visited, visitor: Visitor): Result {
  const { approvals, signed } = visit.setting
  if (isOneOf(error, 'proposal_decided', 'contention')) return { kind: 'bad', text: approvals.late[status] }
  const why = messageOf(error.code, error.params, visitor.context.messages)
  return { kind: 'bad', text: html`${signed.refused} ${why}` }
}
