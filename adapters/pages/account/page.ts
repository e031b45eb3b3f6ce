import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import { instantOf, type listSessions, zonedIso } from '../../../engine/index.ts'
import { withLanguage } from '../signed-in/area.ts'
import { formField, type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { pager } from '../signed-in/navigation.ts'
import type { Visitor } from '../signed-in/session.ts'
import type { AccountTexts } from '../texts/account.ts'
import { type Html, moment, visible } from '../words.ts'
import { type Factors, factorsPart } from './factor-pages.ts'
import { programIn } from './program.ts'
import { type AccountSetting, home } from './setting.ts'

type Listed = InferOutput<typeof listSessions.output>
type Session = Listed['sessions'][number]

/** What the page of one's own account shows. */
interface Shown {
  /** One page of the sessions. */
  readonly listed: Listed
  readonly factors: Factors
  /** The present email address; undefined once it has been erased. */
  readonly email: string | undefined
  readonly sendsMail: boolean
  readonly result?: Result | undefined
}

/** The page of one's own account. */
export function accountPage(shown: Shown, visitor: Visitor, setting: AccountSetting): Html {
  const { own } = setting
  const content = html`<h1>${own.title}</h1>
${resultBox(shown.result)}
${sessionsPart(shown.listed, visitor, setting)}
${factorsPart(shown.factors, visitor, setting)}
${emailPart(shown, visitor, setting)}`
  return signedFrame({ title: own.title, content, kind: 'settings', visitor }, setting)
}

function sessionsPart(listed: Listed, visitor: Visitor, setting: AccountSetting): Html {
  const { sessions: texts } = setting.own
  const { sessions } = listed
  const others = listed.total > 1
  const endOthers = html`<form method="post" action="${withLanguage(`${home}/sessions/end-others`, setting)}">${formField(visitor.formToken)}
<button type="submit" class="refuse">${texts.endOthers}</button></form>`
  return html`<section class="card" aria-labelledby="sessions"><h2 id="sessions">${texts.title}</h2>
<p class="hint">${texts.hint}</p>
<ul class="sessions" role="list">${sessions.map((session) => item(session, visitor, setting))}</ul>
${pager(listed, (page) => withLanguage(`${home}?page=${page}`, setting), setting.signed)}
${others && endOthers}</section>`
}

function item(session: Session, visitor: Visitor, setting: AccountSetting): Html {
  const { sessions: texts } = setting.own
  const { session_id, is_current, signed_in_at, expires_at, source } = session
  const name = nameOf(session, texts)
  const time = (instant: string) => moment(zonedIso(instantOf(instant), visitor.account.business.timeZone))
  const end = html`<form method="post" action="${withLanguage(`${home}/sessions/end`, setting)}">${formField(visitor.formToken)}
<input type="hidden" name="session" value="${session_id}">
<button type="submit" class="plain" aria-label="${texts.endThis({ program: name })}">${texts.end}</button></form>`
  return html`<li><div class="what"><h3><bdi>${name}</bdi></h3>${is_current ? html`<span class="badge">${texts.here}</span>` : end}</div>
<dl class="meta">
<div><dt>${texts.since}</dt><dd>${time(signed_in_at)}</dd></div>
<div><dt>${texts.until}</dt><dd>${time(expires_at)}</dd></div>
${source !== undefined && html`<div><dt>${texts.source}</dt><dd><code>${visible(source)}</code></dd></div>`}
</dl></li>`
}

function nameOf({ app_code, platform, program }: Session, texts: AccountTexts['sessions']): string {
  if (app_code !== undefined && platform !== undefined)
    return texts.app({ code: app_code, platform: platform === 'ios' ? 'iOS' : 'Android' })
  const found = program === undefined ? undefined : programIn(program)
  if (found === undefined) return texts.unknown
  const { program: name, system } = found
  return system === undefined ? name : texts.on({ program: name, system })
}

function emailPart({ email, sendsMail }: Shown, { formToken }: Visitor, setting: AccountSetting): Html {
  const { email: texts } = setting.own
  const form = html`<p class="hint">${texts.hint}</p>
<form class="fields" method="post" action="${withLanguage(`${home}/email-change`, setting)}">${formField(formToken)}
<label for="new-email">${texts.label}</label>
<input id="new-email" name="email" type="email" required maxlength="254" autocomplete="email" dir="ltr">
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" required maxlength="200" autocomplete="current-password" dir="ltr">
<button type="submit">${texts.button}</button></form>`
  return html`<section class="card" aria-labelledby="email-title"><h2 id="email-title">${texts.title}</h2>
${email !== undefined && html`<p><span class="label">${texts.now}</span> <bdi>${visible(email)}</bdi></p>`}
${sendsMail ? form : html`<p class="hint">${texts.unavailable}</p>`}</section>`
}
