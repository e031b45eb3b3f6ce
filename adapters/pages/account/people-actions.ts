import { html } from 'hono/html'
import {
  getFactorRule,
  isoOf,
  listAccounts,
  type Role,
  removeFactorsOf,
  roles,
  setFactorRule,
  zonedIso,
} from '../../../engine/index.ts'
import { outputOf } from '../signed-in/account.ts'
import { withLanguage } from '../signed-in/area.ts'
import { askPage } from '../signed-in/ask-page.ts'
import { confirmationIn, confirmationQuery } from '../signed-in/confirmation.ts'
import type { Result } from '../signed-in/layout.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { idIn, isOneOf, message, pageIn } from '../signed-in/visit.ts'
import { moment } from '../words.ts'
import { nameOf, type Person, peoplePage, startChoices } from './people.ts'
import { peopleHome, type Visited } from './setting.ts'

const perPage = 50
const day = 86_400_000

type Serve = (visit: Visited, visitor: Visitor, form: URLSearchParams) => Promise<Response>

/** Serves those who may say who needs a second factor. */
function byAdmin(serve: Serve) {
  return (visit: Visited, visitor: Visitor, form = new URLSearchParams()): Promise<Response> =>
    may(visitor, setFactorRule)
      ? serve(visit, visitor, form)
      : message(visit, 403, visit.setting.own.people.mayNot, visitor)
}

/** Shows whose accounts need a second factor, and who has one. */
export const showPeople = byAdmin((visit, visitor) => {
  const { ruleSaved, removed, nothing } = visit.setting.own.people
  const texts: Readonly<Record<string, string>> = { ruleSaved, removed, nothing }
  const [said = ''] = confirmationIn(visit.request, visitor)
  const text = texts[said]
  return peopleWith(visit, visitor, 200, text === undefined ? undefined : { kind: 'good', text })
})

async function peopleWith(
  { request, answering, setting }: Visited,
  visitor: Visitor,
  status: number,
  result?: Result,
): Promise<Response> {
  const role: Role | undefined = roles.find((one) => one === request.req.query('role'))
  const asked = { is_service: false, page: pageIn(request), per_page: perPage, ...(role && { role }) }
  const { result: _, ...listed } = await outputOf(listAccounts, visitor, asked)
  const { result: __, ...rule } = await outputOf(getFactorRule, visitor, {})
  return answering.page(status, peoplePage({ ...listed, rule, role, result }, visitor, setting))
}

/** A rule as a form asks for it: of whom, and in how many days it begins. */
function ruleIn(fields: URLSearchParams) {
  const days = startChoices.find((count) => String(count) === fields.get('days')) ?? 0
  return fields.get('required_of') === 'staff'
    ? ({ required_of: 'staff', days } as const)
    : ({ required_of: 'nobody', days: 0 } as const)
}

/** Asks before the rule is changed. */
export const askRule = byAdmin(async ({ answering, setting, request }, visitor) => {
  const { askStaff, askNobody, title } = setting.own.people
  const hidden = ruleIn(new URL(request.req.url).searchParams)
  const { required_of, days } = hidden
  const { clock } = visitor.context
  const from = moment(zonedIso(clock() + days * day, visitor.account.business.timeZone))
  const [before, after] = String(askStaff.leadFrom).split('{from}')
  const lead = days === 0 ? askStaff.lead : html`${before}${from}${after}`
  const words = required_of === 'nobody' ? askNobody : { ...askStaff, lead }
  return answering.page(
    200,
    askPage(
      { ...words, action: `${peopleHome}/rule`, hidden, back: { path: peopleHome, text: title } },
      visitor,
      setting,
    ),
  )
})

/** Changes the rule. */
export const saveRule = byAdmin(async ({ answering, setting }, visitor, form) => {
  const { required_of, days } = ruleIn(form)
  const from = days === 0 ? {} : { required_from: isoOf(visitor.context.clock() + days * day) }
  await outputOf(setFactorRule, visitor, { required_of, ...from })
  return answering.redirect(withLanguage(`${peopleHome}?${confirmationQuery(visitor, ['ruleSaved'])}`, setting))
})

async function personIn({ request }: Visited, visitor: Visitor): Promise<Person | undefined> {
  const account_id = idIn(request.req.param('id'))
  return (await outputOf(listAccounts, visitor, { account_id, is_service: false })).accounts[0]
}

/** Asks before the second factors of a person are removed. */
export const askRemoval = byAdmin(async (visit, visitor) => {
  const { answering, setting } = visit
  const { askRemoval: words, missing, own } = setting.own.people
  const person = await personIn(visit, visitor)
  if (person?.has_second_factor !== true) return message(visit, 404, missing, visitor)
  if (person.id === visitor.account.id) return message(visit, 409, { title: own, lead: words.notOwn }, visitor)
  const { lead, button } = words
  const title = words.title({ name: nameOf(person, setting.own.people) })
  const back = { path: peopleHome, text: setting.own.people.title }
  const asked = { title, lead, button, back, action: `${peopleHome}/${person.id}/remove` }
  return answering.page(200, askPage(asked, visitor, setting))
})

/** Removes the second factors of a person. */
export const removeFactors = byAdmin(async (visit, visitor) => {
  const { missing, own, askRemoval: words } = visit.setting.own.people
  try {
    const { removed } = await outputOf(removeFactorsOf, visitor, { account_id: idIn(visit.request.req.param('id')) })
    const said = removed > 0 ? 'removed' : 'nothing'
    return visit.answering.redirect(withLanguage(`${peopleHome}?${confirmationQuery(visitor, [said])}`, visit.setting))
  } catch (error) {
    if (isOneOf(error, 'own_factors_kept')) return message(visit, 409, { title: own, lead: words.notOwn }, visitor)
    if (!isOneOf(error, 'account_not_found', 'account_erased', 'service_account')) throw error
    return message(visit, 404, missing, visitor)
  }
})
