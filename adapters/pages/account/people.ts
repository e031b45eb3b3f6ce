import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import { type getFactorRule, instantOf, type listAccounts, roles, zonedIso } from '../../../engine/index.ts'
import { languageField } from '../frame.ts'
import { withLanguage } from '../signed-in/area.ts'
import { type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { pager } from '../signed-in/navigation.ts'
import type { Visitor } from '../signed-in/session.ts'
import type { AccountTexts } from '../texts/account.ts'
import { type Html, moment, visible } from '../words.ts'
import { type AccountSetting, home, peopleHome } from './setting.ts'

type Listed = InferOutput<typeof listAccounts.output>
type Rule = InferOutput<typeof getFactorRule.output>

/** An account of a person, as it is listed. */
export type Person = Listed['accounts'][number]

/** In how many days a rule can begin. */
export const startChoices = [0, 7, 14, 30] as const

/** What the page of the second factors of a business shows. */
interface ShownPeople extends Omit<Listed, 'result'> {
  readonly rule: Omit<Rule, 'result'>
  /** The kind of account that is listed; all kinds if absent. */
  readonly role?: string | undefined
  readonly result?: Result | undefined
}

/** The page of the second factors of a business: the rule, and who has one. */
export function peoplePage(shown: ShownPeople, visitor: Visitor, setting: AccountSetting): Html {
  const { own, signed } = setting
  const { people: texts } = own
  const { role } = shown
  const at = (page: number) =>
    withLanguage(`${peopleHome}?${role === undefined ? '' : `role=${role}&`}page=${page}`, setting)
  const content = html`<p class="back"><a href="${withLanguage(home, setting)}">${own.title}</a></p><h1>${texts.title}</h1>
${resultBox(shown.result)}
${rulePart(shown.rule, visitor, setting)}
<section class="card" aria-labelledby="people"><h2 id="people">${texts.people}</h2>
${roleFilter(role, setting)}
${shown.accounts.length > 0 ? html`<ul class="sessions" role="list">${shown.accounts.map((one) => item(one, visitor, setting))}</ul>` : html`<p class="hint">${texts.none}</p>`}
${pager(shown, at, signed)}</section>`
  return signedFrame({ title: texts.title, content, kind: 'settings', visitor }, setting)
}

function rulePart(rule: ShownPeople['rule'], visitor: Visitor, setting: AccountSetting): Html {
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

function roleFilter(chosen: string | undefined, setting: AccountSetting): Html {
  const { kind, kinds, everybody, show } = setting.own.people
  const option = (value: string, text: string) =>
    html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${text}</option>`
  return html`<form class="fields" method="get" action="${peopleHome}">${languageField(setting)}<label for="role">${kind}</label>
<select id="role" name="role">${option('', everybody)}${roles.map((role) => option(role, kinds[role]))}</select><button type="submit" class="plain">${show}</button></form>`
}

/** What a person is called on these pages. */
export function nameOf({ id, name }: Person, { unnamed }: AccountTexts['people']): string {
  return visible(name ?? unnamed({ id }))
}

function item(person: Person, visitor: Visitor, setting: AccountSetting): Html {
  const { people: texts } = setting.own
  const { id, role, email, is_active, has_second_factor } = person
  const name = nameOf(person, texts)
  const remove =
    id === visitor.account.id
      ? html`<a href="${withLanguage(home, setting)}">${texts.own}</a>`
      : html`<a href="${withLanguage(`${peopleHome}/${id}/remove`, setting)}" aria-label="${texts.remove}: ${name}">${texts.remove}</a>`
  return html`<li><div class="what"><h3><bdi>${name}</bdi></h3>${has_second_factor && remove}</div>
<dl class="meta"><div><dt>${texts.kind}</dt><dd>${texts.kinds[role]}</dd></div>
${email !== undefined && html`<div><dt>${texts.email}</dt><dd><bdi>${visible(email)}</bdi></dd></div>`}
<div><dt>${texts.factor}</dt><dd>${has_second_factor ? texts.yes : texts.no}${!is_active && html` · ${texts.disabled}`}</dd></div></dl></li>`
}
