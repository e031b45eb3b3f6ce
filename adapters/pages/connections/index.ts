import type { Hono } from 'hono'
import {
  giveGrant,
  isEngineError,
  keyScopes,
  listGrants,
  messageOf,
  placeOf,
  revokeGrant,
} from '../../../engine/index.ts'
import { oauthPaths } from '../../http/oauth.ts'
import type { FetchDocument } from '../../node/documents.ts'
import { formPolicy } from '../answer.ts'
import { addAccount, outputOf } from '../signed-in/account.ts'
import { withLanguage } from '../signed-in/area.ts'
import { confirmationIn, confirmationQuery } from '../signed-in/confirmation.ts'
import type { Result } from '../signed-in/layout.ts'
import type { Visitor } from '../signed-in/session.ts'
import { idIn, isOneOf, message, pageIn, route, type Served, signedForm, signedIn } from '../signed-in/visit.ts'
import { type Asked, answerAddress, requestIn } from './asked.ts'
import { authorize } from './authorize.ts'
import { createFindClient } from './clients.ts'
import { consentPage } from './consent.ts'
import { listPage } from './list.ts'
import { type ConnectionSetting, consentHome, home, type Visited } from './setting.ts'

const perPage = 20

/** The pages on which people let programs act in their name, and end it: `/mcp-connections`, and where programs send them. */
export function addConnections(app: Hono, served: Served<ConnectionSetting>, fetchDocument: FetchDocument): void {
  const { answering } = served
  addAccount(app, served)
  const routes = [
    route(app, 'get', oauthPaths.authorize, authorize(createFindClient(fetchDocument))),
    route(app, 'get', home, signedIn(showList)),
    route(app, 'get', `${consentHome}/:asked`, signedIn(showQuestion)),
    route(app, 'post', `${consentHome}/:asked/allow`, signedForm(allow)),
    route(app, 'post', `${consentHome}/:asked/refuse`, signedForm(refuse)),
    route(app, 'post', `${home}/:id/end`, signedForm(end)),
    // The addresses of forms, when somebody opens them as a page.
    route<ConnectionSetting>(app, 'get', `${consentHome}/:asked/:verb{allow|refuse}`, async ({ request, setting }) =>
      answering.redirect(withLanguage(`${consentHome}/${request.req.param('asked')}`, setting)),
    ),
    route<ConnectionSetting>(app, 'get', `${home}/:id/end`, async ({ setting }) =>
      answering.redirect(withLanguage(home, setting)),
    ),
  ]
  for (const add of routes) add(served)
}

async function showList(visit: Visited, visitor: Visitor): Promise<Response> {
  const { request, answering, setting } = visit
  const listed = await outputOf(listGrants, visitor, { page: pageIn(request), per_page: perPage })
  const names = await namesOf(
    visitor,
    listed.grants.map(({ account_id }) => account_id),
  )
  const [said] = confirmationIn(request, visitor)
  const result: Result | undefined = said === 'ended' ? { kind: 'good', text: setting.connections.done } : undefined
  return answering.page(200, listPage({ ...listed, names, said: result }, visitor, setting))
}

/** The names of the accounts of the visitor's own business, for visitors who may read them. */
async function namesOf({ context }: Visitor, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (!context.caller.scopes.includes('accounts:read')) return new Map()
  const people = await Promise.all([...new Set(ids)].map((id) => context.directory.person(context, id)))
  return new Map(people.flatMap((person) => (person?.name === undefined ? [] : [[person.id, person.name]])))
}

function showQuestion(visit: Visited, visitor: Visitor): Promise<Response> {
  return withQuestion(visit, visitor, (asked) => ask(visit, visitor, asked, 200))
}

/** Serves a page about the request in the path, if it is one of ours and not too old. */
async function withQuestion(
  visit: Visited,
  visitor: Visitor,
  serve: (asked: Asked) => Promise<Response>,
): Promise<Response> {
  const asked = requestIn(visit.opened.context, visit.request.req.param('asked') ?? '')
  return asked === undefined
    ? message(visit, 410, { ...visit.setting.connections.over, more: '' }, visitor)
    : serve(asked)
}

async function ask(visit: Visited, visitor: Visitor, asked: Asked, status: number, result?: Result): Promise<Response> {
  const { request, answering, setting } = visit
  const path = `${consentHome}/${request.req.param('asked')}`
  const question = { asked, scopes: offered(asked, visitor), path, result }
  const response = await answering.page(status, consentPage(question, visitor, setting))
  // Browsers hold the redirect after a form to this rule as well.
  response.headers.set('Content-Security-Policy', formPolicy(asked.redirect_uri))
  return response
}

/** What a program asks for and the visitor's account has. */
function offered({ scopes }: Asked, { context }: Visitor): readonly string[] {
  return keyScopes.filter((scope) => scopes.includes(scope) && context.caller.scopes.includes(scope))
}

function allow(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  return withQuestion(visit, visitor, async (asked) => {
    const scopes = offered(asked, visitor).filter((scope) => form.getAll('scope').includes(scope))
    if (scopes.length === 0) {
      const text = visit.setting.connections.ask.empty
      return ask(visit, visitor, asked, 422, { kind: 'bad', text })
    }
    const { client_id, client_name, client_host, redirect_uri, challenge, resource } = asked
    const host = client_host ?? placeOf(redirect_uri)
    const input = { client_id, client_name, client_host: host, redirect_uri, challenge, resource, scopes }
    try {
      const { code } = await outputOf(giveGrant, visitor, input)
      return visit.answering.redirect(answerAddress(asked, visitor.context.baseUrl, { code }))
    } catch (error) {
      if (!isEngineError(error, 'too_many_grants')) throw error
      const text = messageOf(error.code, error.params, visit.opened.context.messages)
      return ask(visit, visitor, asked, 409, { kind: 'bad', text })
    }
  })
}

function refuse(visit: Visited, visitor: Visitor): Promise<Response> {
  return withQuestion(visit, visitor, async (asked) =>
    visit.answering.redirect(answerAddress(asked, visitor.context.baseUrl, { error: 'access_denied' })),
  )
}

async function end(visit: Visited, visitor: Visitor): Promise<Response> {
  const { request, answering, setting } = visit
  try {
    await outputOf(revokeGrant, visitor, { grant_id: idIn(request.req.param('id')) })
    return answering.redirect(withLanguage(`${home}?${confirmationQuery(visitor, ['ended'])}`, setting))
  } catch (error) {
    if (!isOneOf(error, 'grant_not_found', 'invalid_input')) throw error
    return message(visit, 404, setting.connections.missing, visitor)
  }
}
