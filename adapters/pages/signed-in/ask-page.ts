import { html } from 'hono/html'
import type { Html } from '../words.ts'
import { type SignedSetting, withLanguage } from './area.ts'
import { formField, signedFrame } from './layout.ts'
import type { Visitor } from './session.ts'

/** What is asked before something is done. */
interface Asked {
  readonly title: string
  readonly lead: unknown
  readonly action: string
  readonly button: string
  readonly back: { readonly path: string; readonly text: string }
  /** Fields that are filled in; without any, the button warns. */
  readonly fields?: Html
  /** What the form sends beside them. */
  readonly hidden?: Readonly<Record<string, string | number>>
}

/** The page that asks before something is done. */
export function askPage(asked: Asked, visitor: Visitor, setting: SignedSetting): Html {
  const { title, lead, action, button, back, fields, hidden = {} } = asked
  const sent = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  const content = html`<p class="back"><a href="${withLanguage(back.path, setting)}">${back.text}</a></p><div class="card"><h1>${title}</h1><p class="lead">${lead}</p>
<form method="post" action="${withLanguage(action, setting)}">${formField(visitor.formToken)}${sent}
${fields}
<p class="saving"><button type="submit"${fields === undefined && html` class="refuse"`}>${button}</button></p></form></div>`
  return signedFrame({ title, content, kind: 'proposal', visitor }, setting)
}
