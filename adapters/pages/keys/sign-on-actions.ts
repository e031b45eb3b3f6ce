import {
  call,
  claimDomain,
  isEngineError,
  listStaffRoles,
  type Operation,
  proveDomain,
  releaseDomain,
  removeSignOn,
  setSignOn,
  showSignOn,
} from '../../../engine/index.ts'
import { outputOf } from '../signed-in/account.ts'
import { withLanguage } from '../signed-in/area.ts'
import { confirmationIn, confirmationQuery } from '../signed-in/confirmation.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { idIn, isOneOf, message } from '../signed-in/visit.ts'
import { refusedWith } from './parts.ts'
import { signOnHome, type Visited } from './setting.ts'
import { type EnteredSignOn, enteredSignOn, type ShownSignOn, signOnPage } from './sign-on.ts'

/** Shows the identity provider and the domains of the business. */
export function showProvider(visit: Visited, visitor: Visitor): Promise<Response> {
  const [said = ''] = confirmationIn(visit.request, visitor)
  const done: Readonly<Record<string, string>> = visit.setting.keys.signOn.done
  const text = done[said]
  return pageWith(visit, visitor, 200, text === undefined ? {} : { result: { kind: 'good', text } })
}

async function pageWith(visit: Visited, visitor: Visitor, status: number, more: Partial<ShownSignOn>) {
  const { answering, setting } = visit
  if (!may(visitor, showSignOn)) return message(visit, 403, setting.keys.mayNot, visitor)
  const shown = await outputOf(showSignOn, visitor, {})
  const { roles } = await outputOf(listStaffRoles, visitor, {})
  const page = { shown, roles, entered: enteredSignOn(shown.sign_on), ...more }
  return answering.page(status, signOnPage(page, visitor, setting))
}

type Done = keyof Visited['setting']['keys']['signOn']['done']

interface Action {
  readonly operation: Operation
  readonly input: object
  readonly done: Done
  readonly entered?: EnteredSignOn
}

const wrong = ['invalid_input', 'staff_role_not_for', 'staff_role_not_found'] as const
const conflicts = [
  ...(['sign_on_not_tried', 'sign_on_not_found', 'email_domain_taken', 'email_domain_not_found'] as const),
  ...(['email_domain_not_proved', 'too_many_email_domains'] as const),
]

/** Calls an operation, and says on the page what came of it. */
async function act(visit: Visited, visitor: Visitor, { operation, input, done, entered }: Action): Promise<Response> {
  try {
    await call(operation, visitor.context, input)
    return visit.answering.redirect(withLanguage(`${signOnHome}?${confirmationQuery(visitor, [done])}`, visit.setting))
  } catch (error) {
    if (isOneOf(error, 'forbidden', 'wrong_account', 'outside_role'))
      return message(visit, 403, visit.setting.keys.mayNot, visitor)
    if (!isEngineError(error) || !isOneOf(error, ...wrong, ...conflicts)) throw error
    const more = { result: refusedWith(error, visitor, visit.setting), ...(entered && { entered }) }
    return pageWith(visit, visitor, isOneOf(error, ...wrong) ? 422 : 409, more)
  }
}

/** Saves the identity provider. */
export function saveProvider(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const field = (name: string) => (form.get(name) ?? '').trim()
  const entered: EnteredSignOn = {
    ...{ name: field('name'), issuer: field('issuer'), client_id: field('client_id'), scopes: field('scopes') },
    ...{ isRequired: form.has('required'), newAccounts: field('new_accounts'), role: field('role') },
  }
  const { name, issuer, client_id, newAccounts: new_accounts } = entered
  const [client_secret, staff_role_id] = [form.get('client_secret') ?? '', idIn(entered.role)]
  const input = {
    ...{ name, issuer, client_id, scopes: entered.scopes.split(/\s+/).filter((scope) => scope !== '') },
    ...{ required_of: entered.isRequired ? 'staff' : 'nobody', new_accounts },
    ...(client_secret !== '' && { client_secret }),
    ...(staff_role_id !== undefined && { staff_role_id }),
  }
  return act(visit, visitor, { operation: setSignOn, input, done: 'saved', entered })
}

/** Removes the identity provider. */
export function removeProvider(visit: Visited, visitor: Visitor): Promise<Response> {
  return act(visit, visitor, { operation: removeSignOn, input: {}, done: 'removed' })
}

/** Claims, proves or releases the domain in a form. */
export function domainForm(verb: 'claim' | 'prove' | 'release') {
  const { operation, done } = domainActions[verb]
  return (visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> =>
    act(visit, visitor, { operation, input: { domain: (form.get('domain') ?? '').trim().toLowerCase() }, done })
}

const domainActions = {
  claim: { operation: claimDomain, done: 'claimed' },
  prove: { operation: proveDomain, done: 'proved' },
  release: { operation: releaseDomain, done: 'released' },
} as const
