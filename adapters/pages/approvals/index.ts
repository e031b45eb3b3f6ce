import type { Hono } from 'hono'
import * as v from 'valibot'
import {
  approvePendingWrite,
  call,
  type EngineError,
  getProposal,
  isEngineError,
  listPendingApprovals,
  login,
  logout,
  messageOf,
  type Operation,
  rejectPendingWrite,
} from '../../../engine/index.ts'
import type { Result } from './layout.ts'
import { listPage } from './list.ts'
import { proposalPage } from './proposal.ts'
import { home, type Visitor } from './session.ts'
import { signInPage } from './sign-in.ts'
import { type Approvals, formOf, idIn, isOneOf, message, route, signedForm, signedIn, type Visit } from './visit.ts'

const perPage = 20

/** The pages on which people decide what agents may do: `/mcp-approvals`, and one for each proposal. */
export function addApprovals(app: Hono, approvals: Approvals): void {
  const { answering } = approvals
  const routes = [
    route(app, 'get', home, signedIn(showList)),
    route(app, 'post', `${home}/sign-in`, formOf(signIn)),
    route(app, 'post', `${home}/sign-out`, signedForm(signOut)),
    route(app, 'post', `${home}/:id/approve`, signedForm(approve)),
    route(app, 'post', `${home}/:id/reject`, signedForm(reject)),
    // Where a form was sent to, as an address that somebody comes back to.
    route(app, 'get', `${home}/:at{sign-in|sign-out}`, async () => answering.redirect(home)),
    route(app, 'get', `${home}/:id/:verb{approve|reject}`, async ({ id }) => answering.redirect(addressOf(id))),
    route(app, 'get', `${home}/:id`, signedIn(showProposal)),
  ]
  for (const add of routes) add(approvals)
}

function addressOf(id: number | undefined): string {
  return id === undefined ? home : `${home}/${id}`
}

/** What an operation answers, in its types: the form of its output is what it is held to. */
async function asked<Output extends v.GenericSchema>(
  operation: Operation<v.GenericSchema, Output>,
  { context }: Pick<Visitor, 'context'>,
  input: unknown,
): Promise<v.InferOutput<Output>> {
  return v.parse(operation.output, await call(operation, context, input))
}

async function showList(visit: Visit, visitor: Visitor): Promise<Response> {
  const { request, answering, setting } = visit
  const mine = request.req.query('mine') === '1'
  const page = Math.min(idIn(request.req.query('page')) ?? 1, 1_000_000)
  try {
    const listed = await asked(listPendingApprovals, visitor, { mine_only: mine, page, per_page: perPage })
    const names = await namesOf(visitor, ...listed.proposals.map(({ proposed_by }) => proposed_by))
    return await answering.page(200, listPage({ ...listed, mine, names }, visitor, setting))
  } catch (error) {
    if (!isOneOf(error, 'forbidden')) throw error
    return message(visit, 403, { ...setting.approvals.forbidden, more: '' }, visitor)
  }
}

async function showProposal(visit: Visit, visitor: Visitor): Promise<Response> {
  const { request, setting } = visit
  const done = request.req.query('done')
  const { approved, unsuccessful, rejected } = setting.approvals.done
  // The address only asks to be told; what is told is what the facts say.
  return proposalWith(visit, visitor, 200, ({ status, decided_by }) => {
    if (done === undefined || decided_by !== visitor.account.id) return undefined
    if (status === 'rejected') return { kind: 'good', text: rejected }
    return done === 'no' ? { kind: 'bad', text: unsuccessful } : { kind: 'good', text: approved }
  })
}

type Proposal = v.InferOutput<typeof getProposal.output>['proposal']

/** The page of the proposal in the path, with what there is to say of it as it stands. */
async function proposalWith(
  visit: Visit,
  visitor: Visitor,
  status: number,
  say: (proposal: Proposal) => Result | undefined,
): Promise<Response> {
  const { id, answering, setting } = visit
  const { missing, forbidden } = setting.approvals
  try {
    const seen = await asked(getProposal, visitor, { proposal_id: id })
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

/** What the accounts of the own business are called, for those who may read that anyway. */
async function namesOf({ context, account, name }: Visitor, ...ids: readonly number[]) {
  const names = new Map<number, string>(name === undefined ? [] : [[account.id, name]])
  if (!context.caller.scopes.includes('accounts:read')) return names
  for (const id of new Set(ids)) {
    const person = await context.directory.person(context, id)
    if (person?.name !== undefined && person.business.id === account.business.id) names.set(id, person.name)
  }
  return names
}

async function signIn(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { entered, answering, cookie } = visit
  const email = (form.get('email') ?? '').trim()
  const to = idIn(form.get('to'))
  try {
    const given = await asked(login, entered, { email, password: form.get('password') ?? '' })
    const response = answering.redirect(addressOf(to))
    const seconds = given.expires_timestamp - Math.floor(entered.context.clock() / 1000)
    response.headers.append('Set-Cookie', cookie.given(given.access_token, seconds))
    return response
  } catch (error) {
    return notSignedIn(error, visit, { email, to })
  }
}

/** An address that is none is answered as one that is unknown. */
async function notSignedIn(error: unknown, visit: Visit, kept: { email: string; to: number | undefined }) {
  const { answering, setting } = visit
  const { wrong, locked, busy } = setting.approvals.signIn
  const page = (status: number, text: string) =>
    answering.page(status, signInPage({ ...kept, result: { kind: 'bad', text } }, setting))
  if (isOneOf(error, 'invalid_credentials', 'invalid_input')) return page(401, wrong)
  if (isOneOf(error, 'too_busy')) return page(503, busy)
  if (!isEngineError(error, 'too_many_attempts')) throw error
  const seconds = Number(error.params.seconds)
  const response = await page(429, locked(seconds))
  response.headers.set('Retry-After', String(seconds))
  return response
}

async function signOut({ answering, cookie }: Visit, visitor: Visitor): Promise<Response> {
  await call(logout, visitor.context, {})
  const response = answering.redirect(`${home}?out`)
  response.headers.append('Set-Cookie', cookie.taken)
  return response
}

function approve(visit: Visit, visitor: Visitor): Promise<Response> {
  return decide(visit, visitor, async () => {
    const { answer } = await asked(approvePendingWrite, visitor, { proposal_id: visit.id })
    // Some tools record that something was not possible, and answer so.
    return answer.result !== false
  })
}

function reject(visit: Visit, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const reason = (form.get('reason') ?? '').replaceAll('\r\n', '\n').trim()
  const input = { proposal_id: visit.id, ...(reason === '' ? {} : { reason }) }
  return decide(visit, visitor, async () => (await asked(rejectPendingWrite, visitor, input)).result)
}

/** Carries a decision out, and leads to what has come of it, which can then be loaded again without doing it again. */
async function decide(visit: Visit, visitor: Visitor, carryOut: () => Promise<boolean>): Promise<Response> {
  try {
    return visit.answering.redirect(`${addressOf(visit.id)}?done=${(await carryOut()) ? 'yes' : 'no'}`)
  } catch (error) {
    if (!isEngineError(error) || isOneOf(error, 'internal', 'store_unavailable')) throw error
    return proposalWith(visit, visitor, statusOf(error), ({ status }) => refusal(error, status, visit, visitor))
  }
}

function statusOf(error: EngineError): number {
  return isOneOf(error, 'forbidden', 'wrong_account', 'own_proposal') ? 403 : 409
}

function refusal(error: EngineError, status: Proposal['status'], visit: Visit, visitor: Visitor): Result {
  const { late, refused } = visit.setting.approvals
  if (isOneOf(error, 'proposal_decided', 'contention')) return { kind: 'bad', text: late[status] }
  return { kind: 'bad', text: `${refused} ${messageOf(error.code, error.params, visitor.context.messages)}` }
}
