import { html } from 'hono/html'
import { momentFor, wrongAt } from '../signed-in/parts.ts'
import type { Wrong } from '../signed-in/refusals.ts'
import { limitsOf, memberOf, membersOf } from '../signed-in/schema.ts'
import type { Visitor } from '../signed-in/session.ts'
import type { Html } from '../words.ts'
import { buttonForm } from './parts.ts'
import type { WebhookSetting } from './setting.ts'
import type { WebhookTexts } from './texts/index.ts'

/** A secret that the visitor chooses. */
const secretMember = memberOf(membersOf('rotate_webhook_secret'), 'secret')

/** A secret as a page shows it. */
export interface SecretPart {
  /** Masked; undefined if there is none yet. */
  readonly masked: string | undefined
  readonly replacedUntil: readonly string[]
  /** What verifies its ed25519 signatures, newest first; none where these cannot be chosen. */
  readonly publicKeys?: readonly string[]
  /** The address to which an action is appended. */
  readonly action: string
  /** Distinguishes it from other secrets of the page; valid in an HTML id. */
  readonly id: string
  /** Whether the account may change or reveal it. */
  readonly isOpen: boolean
  /** The secret itself, once it has been revealed. */
  readonly revealed?: Revealed | undefined
  /** What is wrong with a secret that the visitor chose. */
  readonly wrong?: ReturnType<Wrong['get']>
}

/** A revealed secret. */
export interface Revealed {
  readonly plain: string
  /** The form that Standard Webhooks libraries expect. */
  readonly standard: string
}

/** A secret, masked until it is revealed, and its actions. */
export function secretPart(part: SecretPart, visitor: Visitor, setting: WebhookSetting): Html {
  const { webhooks: texts } = setting
  const { secret } = texts
  const { masked, replacedUntil, publicKeys = [], isOpen, revealed } = part
  const until = replacedUntil.map((instant) => html`<li>${momentFor(instant, visitor)}</li>`)
  return html`${revealed && shown(revealed, texts)}
${masked === undefined ? html`<p class="hint">${secret.none}</p>` : html`<p><span class="label">${secret.now}</span> <code>${masked}</code></p>`}
${until.length > 0 && html`<p class="label">${secret.replaced}</p><ul role="list">${until}</ul>`}
${publicKeys.length > 0 && html`<p class="label">${texts.publicKeys}</p><ul role="list">${publicKeys.map((key) => html`<li><code>${key}</code></li>`)}</ul>`}
${isOpen && masked !== undefined && actions(part, visitor, setting)}`
}

function shown({ plain, standard }: Revealed, { secret }: WebhookTexts): Html {
  const line = (words: string, value: string) => html`<p class="label">${words}</p>
<div class="command"><pre dir="ltr"><code>${value}</code></pre>
<button type="button" class="copy" data-copied="${secret.copied}" hidden>${secret.copy}</button></div>`
  return html`<div class="revealed" role="status" tabindex="-1" autofocus>
${line(secret.value, standard)}
${plain !== standard && line(secret.plain, plain)}
</div>`
}

function actions({ action, id, replacedUntil, wrong }: SecretPart, visitor: Visitor, setting: WebhookSetting): Html {
  const { secret } = setting.webhooks
  const own = html`<label for="own-${id}">${secret.own}</label>
<input id="own-${id}" name="secret" type="password"${limitsOf(secretMember)} autocomplete="new-password" dir="ltr"${wrong && html` aria-invalid="true" aria-describedby="own-${id}-wrong"`}>
${wrongAt(`own-${id}-wrong`, wrong)}`
  return html`<div class="acts">
<div>${buttonForm(`${action}/reveal`, { words: secret.reveal }, visitor, setting)}<p class="hint">${secret.revealHint}</p></div>
<details${wrong && html` open`}><summary>${secret.rotate}…</summary>
${buttonForm(`${action}/rotate`, { words: secret.rotate }, visitor, setting, own)}<p class="hint">${secret.rotateHint}</p></details>
${replacedUntil.length > 0 && html`<div>${buttonForm(`${action}/expire`, { words: secret.expire, kind: 'refuse' }, visitor, setting)}<p class="hint">${secret.expireHint}</p></div>`}
</div>`
}

/** The confirmation of an action on a secret. */
export function secretSaid(name: string | undefined, { secret }: WebhookTexts): string | undefined {
  return name === 'rotated' ? secret.rotated : name === 'expired' ? secret.expired : undefined
}
