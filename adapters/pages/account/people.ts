import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import { type getFactorRule, instantOf, zonedIso } from '../../../engine/index.ts'
import { languageField } from '../frame.ts'
import { withLanguage } from '../signed-in/area.ts'
import { type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import type { Visitor } from '../signed-in/session.ts'
import { type Html, moment } from '../words.ts'
import { type AccountSetting, home, peopleHome } from './setting.ts'

type Rule = InferOutput<typeof getFactorRule.output>

/** In how many days a rule can begin. */
export const startChoices = [0, 7, 14, 30] as const

/** The page of the second factors of a business: the rule; who has one is on the pages of accounts. */
export function peoplePage(
  rule: Omit<Rule, 'result'>,
  result: Result | undefined,
  visitor: Visitor,
  setting: AccountSetting,
): Html {
  const { own } = setting
  const { people: texts } = own
  const content = html`<p class="back"><a href="${withLanguage(home, setting)}">${own.title}</a></p><h1>${texts.title}</h1>
${resultBox(result)}
${rulePart(rule, visitor, setting)}
<p><a href="${withLanguage('/records/account', setting)}">${texts.people}</a></p>`
  return signedFrame({ title: texts.title, content, kind: 'settings', visitor }, setting)
}

function rulePart(rule: Omit<Rule, 'result'>, visitor: Visitor, setting: AccountSetting): Html {
  const { people: texts } = setting.own
  const { required_of, required_from: from } = rule
  const isLater = from !== undefined && instantOf(from) > visitor.context.clock()
  const state = required_of === 'nobody' ? texts.nobody : isLater ? texts.staffFrom : texts.staff
  const days = startChoices.map(
    (count) => html`<option value="${count}">${count === 0 ? texts.atOnce : texts.inDays({ count })}</option>`,
  )
  const demand = html`<form class="fields" method="get" action="${peopleHome}/rule">${languageField(setting)}<input type="hidden" name="required_of" value="staff">
<label for="days">${texts.begins}</label><select id="days" name="days">${days}</select><button type="submit">${texts.demand}</button></form>`
  const end = html`<form class="fields" method="get" action="${peopleHome}/rule">${languageField(setting)}<input type="hidden" name="required_of" value="nobody"><button type="submit" class="plain">${texts.end}</button></form>`
  return html`<section class="card" aria-labelledby="rule"><h2 id="rule">${texts.rule}</h2>
<p>${state}${isLater && html` ${moment(zonedIso(instantOf(from), visitor.account.business.timeZone))}`}</p>
${required_of === 'nobody' ? demand : end}</section>`
}
