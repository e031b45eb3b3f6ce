import { html } from 'hono/html'
import {
  call,
  confirmEmailChange,
  forgotPassword,
  isEngineError,
  type Messages,
  messageOf,
  openLink,
  setPasswordByLink,
} from '../../../engine/index.ts'
import { outputOf } from '../signed-in/account.ts'
import { withLanguage } from '../signed-in/area.ts'
import { type Result, resultBox, signedFrame } from '../signed-in/layout.ts'
import { isOneOf, message } from '../signed-in/visit.ts'
import type { Html } from '../words.ts'
import { home, type Visited } from './setting.ts'

interface Form {
  readonly title: string
  readonly lead: string
  readonly form: Html
  /** The link of an e-mail that leads to the page, if one does. */
  readonly link?: string
  readonly result?: Result | undefined
}

/** A page with one form, for people who are not signed in. */
function formPage({ setting }: Visited, { title, lead, form, link, result }: Form): Html {
  const content = html`<div class="card"><h1>${title}</h1><p class="lead">${lead}</p>${resultBox(result)}${form}</div>`
  const kept = link === undefined ? '' : new URLSearchParams({ link }).toString()
  return signedFrame({ title, content, kind: 'sign-in', kept }, setting)
}

/** The form for a forgotten password. */
export async function askAddress(visit: Visited): Promise<Response> {
  const { setting, answering, opened } = visit
  const { title, lead, button, unavailable } = setting.own.forgotten
  if (!opened.context.messenger.sendsMail) return message(visit, 200, unavailable)
  const form = html`<form method="post" action="${withLanguage(`${home}/forgotten`, setting)}">
<label for="email">${setting.signed.signIn.email}</label>
<input id="email" name="email" type="email" required maxlength="254" autocomplete="username" dir="ltr">
<button type="submit">${button}</button></form>`
  return answering.page(200, formPage(visit, { title, lead, form }))
}

/** Sends the link for a new password. The answer is the same for every text that is entered. */
export async function sendLink(visit: Visited, form: URLSearchParams): Promise<Response> {
  const { setting, opened } = visit
  try {
    await call(forgotPassword, opened.context, { email: (form.get('email') ?? '').trim() })
  } catch (error) {
    if (!isOneOf(error, 'invalid_input')) throw error
  }
  return message(visit, 200, setting.own.forgotten.sent)
}

/** The form for a new password, if the link is good. */
export async function askPassword(visit: Visited): Promise<Response> {
  return withLink(visit, visit.request.req.query('link'), (link) => passwordForm(visit, link, 200))
}

async function passwordForm(visit: Visited, link: string, status: number, result?: Result): Promise<Response> {
  const { setting, answering, opened } = visit
  await openLink(opened.context, link, 'password', 'invitation')
  const { title, lead, label, hint, button } = setting.own.password
  const form = html`<form method="post" action="${withLanguage(`${home}/password`, setting)}"><input type="hidden" name="link" value="${link}">
<label for="password">${label}</label>
<input id="password" name="password" type="password" required minlength="10" maxlength="200" autocomplete="new-password" aria-describedby="hint" dir="ltr">
<p class="hint" id="hint">${hint}</p>
<button type="submit">${button}</button></form>`
  return answering.page(status, formPage(visit, { title, lead, form, link, result }))
}

/** Sets the password that a link is for. */
export async function setPassword(visit: Visited, form: URLSearchParams): Promise<Response> {
  const { setting, opened } = visit
  return withLink(visit, form.get('link'), async (link) => {
    try {
      await call(setPasswordByLink, opened.context, { link, new_password: form.get('password') ?? '' })
      return await message(visit, 200, setting.own.password.done)
    } catch (error) {
      if (!isOneOf(error, 'invalid_input')) throw error
      return passwordForm(visit, link, 422, { kind: 'bad', text: whyNot(error, opened.context.messages) })
    }
  })
}

/** What is wrong with a password. */
function whyNot(error: unknown, messages: Messages): string {
  const findings = isEngineError(error) ? error.findings : []
  return findings.map(({ code, params }) => messageOf(code, params, messages)).join(' ')
}

/** The button that confirms a change of an email address. Opening the link does nothing: programs look into mails, too. */
export async function askConfirmation(visit: Visited): Promise<Response> {
  const { setting, answering, opened } = visit
  return withLink(visit, visit.request.req.query('link'), async (link) => {
    await openLink(opened.context, link, 'email_from', 'email_to')
    const { title, lead, button } = setting.own.confirm
    const form = html`<form method="post" action="${withLanguage(`${home}/email`, setting)}"><input type="hidden" name="link" value="${link}">
<button type="submit">${button}</button></form>`
    return answering.page(200, formPage(visit, { title, lead, form, link }))
  })
}

/** Confirms a change of an email address. */
export async function confirmAddress(visit: Visited, form: URLSearchParams): Promise<Response> {
  const { confirm, email } = visit.setting.own
  const { asked, changed, taken } = confirm
  return withLink(visit, form.get('link'), async (link) => {
    try {
      const { state } = await outputOf(confirmEmailChange, visit.opened, { link })
      return await message(visit, 200, state === 'changed' ? changed : asked)
    } catch (error) {
      if (isEngineError(error, 'email_outside_sign_on')) {
        const lead = email.outside({ name: String(error.params.name) })
        return message(visit, 403, { title: taken.title, lead })
      }
      if (!isOneOf(error, 'email_taken')) throw error
      return message(visit, 409, taken)
    }
  })
}

/** Answers with the page for links that are not good, if this one is not. */
async function withLink(visit: Visited, link: string | null | undefined, use: (link: string) => Promise<Response>) {
  const { over } = visit.setting.own
  const more = html`<p><a href="${withLanguage(`${home}/forgotten`, visit.setting)}">${visit.setting.own.forgotten.title}</a></p>`
  try {
    return await use(link ?? '')
  } catch (error) {
    if (!isOneOf(error, 'link_not_valid', 'email_taken', 'invalid_input')) throw error
    return message(visit, 410, { ...over, more })
  }
}
