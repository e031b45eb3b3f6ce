import type { Hono } from 'hono'
import {
  call,
  currentUser,
  endOtherSessions,
  endSession,
  isEngineError,
  listFactors,
  listSessions,
  requestEmailChange,
  revokeOwnApiKeys,
} from '../../../engine/index.ts'
import { addAccount, outputOf } from '../signed-in/account.ts'
import { withLanguage } from '../signed-in/area.ts'
import { confirmationIn, confirmationQuery } from '../signed-in/confirmation.ts'
import type { Result } from '../signed-in/layout.ts'
import type { Visitor } from '../signed-in/session.ts'
import { formOf, isOneOf, pageIn, route, type Served, signedForm, signedIn } from '../signed-in/visit.ts'
import { factorForms } from './factors.ts'
import { askAddress, askConfirmation, askPassword, confirmAddress, sendLink, setPassword } from './links.ts'
import { accountPage } from './page.ts'
import { askRule, saveRule, showPeople } from './people-actions.ts'
import { type AccountSetting, home, peopleHome, type Visited } from './setting.ts'

/** The pages of one's own account: `/account`, and those that links in e-mails lead to. */
export function addOwnAccount(app: Hono, served: Served<AccountSetting>): void {
  addAccount(app, served)
  const routes = [
    route<AccountSetting>(
      app,
      'get',
      home,
      signedIn((visit, visitor) => show(visit, visitor, 200)),
    ),
    route<AccountSetting>(app, 'post', `${home}/sessions/end`, signedForm(endOne)),
    route<AccountSetting>(app, 'post', `${home}/sessions/end-others`, signedForm(endOthers)),
    route<AccountSetting>(app, 'post', `${home}/email-change`, signedForm(changeAddress)),
    ...Object.entries(factorForms(show)).map(([path, serve]) =>
      route<AccountSetting>(app, 'post', `${home}/${path}`, serve),
    ),
    // The addresses of forms, when somebody opens them as a page.
    route<AccountSetting>(
      app,
      'get',
      `${home}/:form{authenticator|passkey|recovery-codes}`,
      async ({ answering, setting }) => answering.redirect(withLanguage(home, setting)),
    ),
    route<AccountSetting>(app, 'post', `${home}/api-keys/revoke`, signedForm(revokeKeys)),
    route<AccountSetting>(app, 'get', peopleHome, signedIn(showPeople)),
    route<AccountSetting>(app, 'get', `${peopleHome}/rule`, signedIn(askRule)),
    route<AccountSetting>(app, 'post', `${peopleHome}/rule`, signedForm(saveRule)),
    route<AccountSetting>(app, 'get', `${home}/forgotten`, askAddress),
    route<AccountSetting>(app, 'post', `${home}/forgotten`, formOf(sendLink)),
    route<AccountSetting>(app, 'get', `${home}/password`, askPassword),
    route<AccountSetting>(app, 'post', `${home}/password`, formOf(setPassword)),
    route<AccountSetting>(app, 'get', `${home}/email`, askConfirmation),
    route<AccountSetting>(app, 'post', `${home}/email`, formOf(confirmAddress)),
  ]
  for (const add of routes) add(served)
}

async function show(visit: Visited, visitor: Visitor, status: number, result?: Result): Promise<Response> {
  const { answering, setting, request } = visit
  const listed = await outputOf(listSessions, visitor, { page: pageIn(request) })
  const { email } = await outputOf(currentUser, visitor, {})
  const factors = await outputOf(listFactors, visitor, {})
  const { sendsMail } = visitor.context.messenger
  const said = result ?? saidIn(confirmationIn(request, visitor), setting)
  return answering.page(status, accountPage({ listed, factors, email, sendsMail, result: said }, visitor, setting))
}

/** The result that an action has left in the address of the page. */
function saidIn([name, number]: readonly string[], { own }: AccountSetting): Result | undefined {
  const { ended, othersEnded, gone } = own.sessions
  const texts: Readonly<Record<string, string>> = {
    ...{ ended, gone, sent: own.email.sent },
    others: othersEnded({ count: Number(number) }),
    keys: own.factors.keys.revoked({ count: Number(number) }),
  }
  const text = name === undefined ? undefined : texts[name]
  return text === undefined ? undefined : { kind: name === 'gone' ? 'bad' : 'good', text }
}

function backTo({ answering, setting }: Visited, visitor: Visitor, ...said: readonly [string, ...number[]]): Response {
  return answering.redirect(withLanguage(`${home}?${confirmationQuery(visitor, said)}`, setting))
}

async function endOne(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  try {
    await call(endSession, visitor.context, { session_id: form.get('session') ?? '' })
    return backTo(visit, visitor, 'ended')
  } catch (error) {
    if (!isOneOf(error, 'session_not_found', 'invalid_input')) throw error
    return backTo(visit, visitor, 'gone')
  }
}

async function endOthers(visit: Visited, visitor: Visitor): Promise<Response> {
  const { ended } = await outputOf(endOtherSessions, visitor, {})
  return backTo(visit, visitor, 'others', ended)
}

async function revokeKeys(visit: Visited, visitor: Visitor): Promise<Response> {
  const { revoked } = await outputOf(revokeOwnApiKeys, visitor, {})
  return backTo(visit, visitor, 'keys', revoked)
}

async function changeAddress(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const { unchanged, outside, malformed, wrong } = visit.setting.own.email
  const { locked, busy } = visit.setting.signed.signIn
  const refused = (status: number, text: string) => show(visit, visitor, status, { kind: 'bad', text })
  try {
    const input = { new_email: (form.get('email') ?? '').trim(), password: form.get('password') ?? '' }
    await call(requestEmailChange, visitor.context, input)
    return backTo(visit, visitor, 'sent')
  } catch (error) {
    if (isOneOf(error, 'email_unchanged')) return refused(409, unchanged)
    if (isEngineError(error, 'email_outside_sign_on')) return refused(403, outside({ name: String(error.params.name) }))
    if (isOneOf(error, 'wrong_password')) return refused(403, wrong)
    if (isOneOf(error, 'invalid_input')) return refused(422, malformed)
    if (isOneOf(error, 'too_busy')) return refused(503, busy)
    if (isEngineError(error, 'too_many_attempts') || isEngineError(error, 'too_many_requests'))
      return refused(429, locked({ seconds: Number(error.params.seconds) }))
    throw error
  }
}
