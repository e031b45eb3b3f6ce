import {
  call,
  createServiceAccount,
  createServiceAccountKey,
  isEngineError,
  listAccounts,
  listApiKeys,
  listStaffRoles,
  scopesOfAccount,
  setAccountStatus,
} from '../../../engine/index.ts'
import { outputOf } from '../signed-in/account.ts'
import { withLanguage } from '../signed-in/area.ts'
import { confirmationIn, confirmationQuery } from '../signed-in/confirmation.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { idIn, isOneOf, message, pageIn } from '../signed-in/visit.ts'
import { makeWith } from './key-actions.ts'
import { emptyKey, type ShownKeys } from './keys.ts'
import { refusedWith } from './parts.ts'
import {
  askToDisable,
  type ServiceAccount,
  type ShownServiceAccounts,
  serviceAccountPage,
  serviceAccountsPage,
} from './service-accounts.ts'
import { serviceAccountsHome, type Visited } from './setting.ts'

const perPage = 50
const empty = { name: '', role: 'client_employee', staffRole: '' }

type Serve = (visit: Visited, visitor: Visitor, form: URLSearchParams) => Promise<Response>

/** Serves those who may make service accounts. */
function byAdmin(serve: Serve) {
  return (visit: Visited, visitor: Visitor, form = new URLSearchParams()): Promise<Response> =>
    may(visitor, createServiceAccount)
      ? serve(visit, visitor, form)
      : message(visit, 403, visit.setting.keys.mayNot, visitor)
}

/** Serves the service account in the path, if the business has it. */
function withServiceAccount(
  serve: (account: ServiceAccount, visit: Visited, visitor: Visitor, form: URLSearchParams) => Promise<Response>,
) {
  return byAdmin(async (visit, visitor, form) => {
    const id = idIn(visit.request.req.param('id'))
    const { accounts } = await outputOf(listAccounts, visitor, { account_id: id, is_service: true })
    const [account] = accounts
    if (account === undefined) return message(visit, 404, visit.setting.keys.services.missing, visitor)
    return serve(account, visit, visitor, form)
  })
}

/** Shows the service accounts. */
export const showServiceAccounts = byAdmin((visit, visitor) => {
  const { saved, enabled } = visit.setting.keys.services
  const texts: Readonly<Record<string, string>> = { saved, enabled }
  const [said = ''] = confirmationIn(visit.request, visitor)
  const text = texts[said]
  return serviceAccountsWith(visit, visitor, 200, text === undefined ? {} : { result: { kind: 'good', text } })
})

async function serviceAccountsWith(
  visit: Visited,
  visitor: Visitor,
  status: number,
  more: Partial<ShownServiceAccounts>,
) {
  const { answering, setting, request } = visit
  const asked = { is_service: true, page: pageIn(request), per_page: perPage }
  const { result: _, ...listed } = await outputOf(listAccounts, visitor, asked)
  const { roles } = await outputOf(listStaffRoles, visitor, {})
  return answering.page(status, serviceAccountsPage({ ...listed, roles, entered: empty, ...more }, visitor, setting))
}

/** Makes a service account, and leads on to its keys. */
export const makeServiceAccount = byAdmin(async (visit, visitor, form) => {
  const field = (name: string) => (form.get(name) ?? '').trim()
  const entered = { name: field('name'), role: field('role'), staffRole: field('staff_role') }
  const { name, role, staffRole } = entered
  try {
    const narrowed = staffRole === '' ? {} : { staff_role_id: idIn(staffRole) }
    const { account_id } = await outputOf(createServiceAccount, visitor, { name, role, ...narrowed })
    const made = `${serviceAccountsHome}/${account_id}?${confirmationQuery(visitor, ['made'])}`
    return visit.answering.redirect(withLanguage(made, visit.setting))
  } catch (error) {
    if (!isEngineError(error) || !isOneOf(error, 'invalid_input', 'staff_role_not_found', 'staff_role_not_for'))
      throw error
    return serviceAccountsWith(visit, visitor, 422, { result: refusedWith(error, visitor, visit.setting), entered })
  }
})

/** Shows a service account. */
export const showServiceAccount = withServiceAccount((account, visit, visitor) => {
  const [said] = confirmationIn(visit.request, visitor)
  const text = visit.setting.keys.services.made
  return serviceAccountWith(account, visit, visitor, 200, said === 'made' ? { result: { kind: 'good', text } } : {})
})

async function serviceAccountWith(
  account: ServiceAccount,
  { answering, setting, request }: Visited,
  visitor: Visitor,
  status: number,
  more: Partial<ShownKeys>,
) {
  const asked = { account_id: account.id, page: pageIn(request), per_page: perPage }
  const { result: _, ...listed } = await outputOf(listApiKeys, visitor, asked)
  const person = await visitor.context.directory.person(visitor.context, account.id)
  const scopes = person === undefined ? [] : scopesOfAccount(person)
  const shown = { ...listed, names: new Map<number, string>(), entered: emptyKey, scopes, ...more }
  return answering.page(status, serviceAccountPage(account, shown, visitor, setting))
}

/** Makes a key of a service account, and shows it once. */
export const makeServiceAccountKey = withServiceAccount((account, visit, visitor, form) =>
  makeWith(visit, visitor, form, {
    create: (input) => outputOf(createServiceAccountKey, visitor, { account_id: account.id, ...input }),
    show: (status, more) => serviceAccountWith(account, visit, visitor, status, more),
  }),
)

/** Asks before a service account is disabled. */
export const askDisable = withServiceAccount((account, visit, visitor) =>
  visit.answering.page(200, askToDisable(account, visitor, visit.setting)),
)

/** Disables a service account, or enables it again. */
export function switchServiceAccount(is_active: boolean) {
  return withServiceAccount(async ({ id: account_id }, { answering, setting }, visitor) => {
    await call(setAccountStatus, visitor.context, { account_id, is_active })
    const said = confirmationQuery(visitor, [is_active ? 'enabled' : 'saved'])
    return answering.redirect(withLanguage(`${serviceAccountsHome}?${said}`, setting))
  })
}
