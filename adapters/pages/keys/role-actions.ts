import {
  call,
  createStaffRole,
  isEngineError,
  listAccounts,
  listStaffRoles,
  removeStaffRole,
  updateAccount,
  updateStaffRole,
} from '../../../engine/index.ts'
import { outputOf } from '../signed-in/account.ts'
import { withLanguage } from '../signed-in/area.ts'
import { confirmationIn, confirmationQuery } from '../signed-in/confirmation.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { idIn, isOneOf, message, pageIn } from '../signed-in/visit.ts'
import { narrowingOf, refusedWith, termsIn } from './parts.ts'
import { type EnteredRole, emptyRole, enteredOf, rolePage, rolesPage, type ShownRoles } from './roles.ts'
import { rolesHome, type Visited } from './setting.ts'

const perPage = 50

/** Shows the staff roles. */
export function showRoles(visit: Visited, visitor: Visitor): Promise<Response> {
  const { made, saved, deleted, given } = visit.setting.keys.roles
  const texts: Readonly<Record<string, string>> = { made, saved, deleted, given }
  const [said = ''] = confirmationIn(visit.request, visitor)
  const text = texts[said]
  return rolesWith(visit, visitor, 200, text === undefined ? {} : { result: { kind: 'good', text } })
}

async function rolesWith(visit: Visited, visitor: Visitor, status: number, more: Partial<ShownRoles>) {
  const { request, answering, setting } = visit
  if (!may(visitor, listStaffRoles)) return message(visit, 403, setting.keys.mayNot, visitor)
  const { roles } = await outputOf(listStaffRoles, visitor, {})
  const asked = { page: pageIn(request), per_page: perPage }
  const shown = { roles, ...(await peopleFor(visitor, asked)), entered: emptyRole, ...more }
  return answering.page(status, rolesPage(shown, visitor, setting))
}

/** A page of the employees, for visitors who give roles: others are not shown them, and may not be able to list them. */
async function peopleFor(visitor: Visitor, asked: { readonly page: number; readonly per_page: number }) {
  if (!may(visitor, updateAccount)) return { people: [], ...asked, total: 0 }
  const { accounts, page, per_page, total } = await outputOf(listAccounts, visitor, {
    role: 'client_employee',
    ...asked,
  })
  const people = accounts.filter(({ personal_data_erased }) => personal_data_erased !== true)
  return { people, page, per_page, total }
}

function roleIn(form: URLSearchParams): EnteredRole {
  return { ...termsIn(form), preset: form.get('preset') ?? '' }
}

function inputOf(entered: EnteredRole) {
  const { name, preset, scopes } = entered
  return { name, ...(preset === '' ? { scopes } : { preset }), ...narrowingOf(entered) }
}

function done(
  { answering, setting }: Visited,
  visitor: Visitor,
  said: 'made' | 'saved' | 'deleted' | 'given',
): Response {
  return answering.redirect(withLanguage(`${rolesHome}?${confirmationQuery(visitor, [said])}`, setting))
}

const conflicts = ['staff_role_name_taken', 'too_many_staff_roles', 'staff_role_in_use'] as const
const wrong = ['invalid_input', 'staff_role_not_for', 'staff_role_not_found', 'account_not_found'] as const

/** Runs an action, or shows why it was refused; `otherwise` answers with the result. */
async function attempt(
  visit: Visited,
  visitor: Visitor,
  act: () => Promise<Response>,
  otherwise: (status: number, result: ReturnType<typeof refusedWith>) => Promise<Response>,
): Promise<Response> {
  try {
    return await act()
  } catch (error) {
    if (isOneOf(error, 'forbidden', 'wrong_account', 'outside_role'))
      return message(visit, 403, visit.setting.keys.mayNot, visitor)
    if (!isEngineError(error) || !isOneOf(error, ...conflicts, ...wrong, 'account_erased')) throw error
    return otherwise(isOneOf(error, ...wrong) ? 422 : 409, refusedWith(error, visitor, visit.setting))
  }
}

/** Makes a role. */
export function makeRole(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const entered = roleIn(form)
  return attempt(
    visit,
    visitor,
    async () => {
      await call(createStaffRole, visitor.context, inputOf(entered))
      return done(visit, visitor, 'made')
    },
    (status, result) => rolesWith(visit, visitor, status, { result, entered }),
  )
}

/** Shows the form of a role. */
export function showRole(visit: Visited, visitor: Visitor): Promise<Response> {
  return withRole(visit, visitor, async (role) =>
    visit.answering.page(200, rolePage({ role, entered: enteredOf(role) }, visitor, visit.setting)),
  )
}

/** Replaces a role. */
export function saveRole(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const entered = roleIn(form)
  return withRole(visit, visitor, (role) =>
    attempt(
      visit,
      visitor,
      async () => {
        await call(updateStaffRole, visitor.context, { staff_role_id: role.id, ...inputOf(entered) })
        return done(visit, visitor, 'saved')
      },
      async (status, result) =>
        visit.answering.page(status, rolePage({ role, entered, result }, visitor, visit.setting)),
    ),
  )
}

async function withRole(
  visit: Visited,
  visitor: Visitor,
  serve: (role: ShownRoles['roles'][number]) => Promise<Response>,
): Promise<Response> {
  const { mayNot, roles: words } = visit.setting.keys
  if (!may(visitor, updateStaffRole)) return message(visit, 403, mayNot, visitor)
  const { roles } = await outputOf(listStaffRoles, visitor, {})
  const role = roles.find(({ id }) => id === idIn(visit.request.req.param('id')))
  return role === undefined ? message(visit, 404, words.missing, visitor) : serve(role)
}

/** Deletes a role that nobody has. */
export function deleteRole(visit: Visited, visitor: Visitor): Promise<Response> {
  return withRole(visit, visitor, ({ id }) =>
    attempt(
      visit,
      visitor,
      async () => {
        await call(removeStaffRole, visitor.context, { staff_role_id: id })
        return done(visit, visitor, 'deleted')
      },
      (status, result) => rolesWith(visit, visitor, status, { result }),
    ),
  )
}

/** Gives an employee a role, or none. */
export function giveRole(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  const role = form.get('role') ?? ''
  const input = { account_id: idIn(form.get('account')), staff_role_id: role === '' ? null : idIn(role) }
  return attempt(
    visit,
    visitor,
    async () => {
      await call(updateAccount, visitor.context, input)
      return done(visit, visitor, 'given')
    },
    (status, result) => rolesWith(visit, visitor, status, { result }),
  )
}
