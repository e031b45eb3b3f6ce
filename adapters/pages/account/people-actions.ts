import { html } from 'hono/html'
import { getFactorRule, isoOf, setFactorRule, zonedIso } from '../../../engine/index.ts'
import { outputOf } from '../signed-in/account.ts'
import { withLanguage } from '../signed-in/area.ts'
import { askPage } from '../signed-in/ask-page.ts'
import { confirmationIn, confirmationQuery } from '../signed-in/confirmation.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { message } from '../signed-in/visit.ts'
import { moment } from '../words.ts'
import { peoplePage, startChoices } from './people.ts'
import { peopleHome, type Visited } from './setting.ts'

const day = 86_400_000

type Serve = (visit: Visited, visitor: Visitor, form: URLSearchParams) => Promise<Response>

/** Serves those who may say who needs a second factor. */
function byAdmin(serve: Serve) {
  return (visit: Visited, visitor: Visitor, form = new URLSearchParams()): Promise<Response> =>
    may(visitor, setFactorRule)
      ? serve(visit, visitor, form)
      : message(visit, 403, visit.setting.own.people.mayNot, visitor)
}

/** Shows whose accounts need a second factor. */
export const showPeople = byAdmin(async ({ request, answering, setting }, visitor) => {
  const [said] = confirmationIn(request, visitor)
  const result = said === 'ruleSaved' ? ({ kind: 'good', text: setting.own.people.ruleSaved } as const) : undefined
  const { result: _, ...rule } = await outputOf(getFactorRule, visitor, {})
  return answering.page(200, peoplePage(rule, result, visitor, setting))
})

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
