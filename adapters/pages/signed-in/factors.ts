import { html } from 'hono/html'
import type { Context, PasskeyOptions } from '../../../engine/index.ts'
import { codePicture } from '../code-picture.ts'
import type { Html } from '../words.ts'
import type { SignedSetting } from './area.ts'

/** A form whose answer is that of a passkey: its button works with a script alone. */
export function passkeyForm(
  form: {
    readonly action: string
    readonly asks: 'create' | 'get'
    readonly options: PasskeyOptions
    readonly fields: unknown
    readonly button: string
  },
  { signed }: Pick<SignedSetting, 'signed'>,
): Html {
  const { needsScript, notUsed } = signed.secondStep
  return html`<form class="passkey fields" method="post" action="${form.action}" data-passkey="${form.asks}" data-options="${JSON.stringify(form.options)}">
${form.fields}<input type="hidden" name="passkey" value="">
<p class="hint needs-script">${needsScript}</p>
<p class="result bad" role="alert" tabindex="-1" hidden>${notUsed}</p>
<button type="submit" hidden>${form.button}</button></form>`
}

/** What an authenticator app reads: a picture where codes can be drawn, and the same as text. */
export async function secretPart(
  { printer }: Pick<Context, 'printer'>,
  { secret, uri }: { readonly secret: string; readonly uri: string },
  { signed }: Pick<SignedSetting, 'signed'>,
): Promise<Html> {
  const { picture, secret: label, address } = signed.secondStep.setUp
  const code = await printer.qrOf?.(uri)
  const svg = code && Buffer.from(String(await codePicture(code))).toString('base64')
  return html`${svg && html`<p class="qr"><img src="data:image/svg+xml;base64,${svg}" alt="${picture}" width="200" height="200"></p>`}
<dl class="meta secret"><div><dt>${label}</dt><dd><code dir="ltr">${secret.replace(/(.{4})(?=.)/g, '$1 ')}</code></dd></div>
<div><dt>${address}</dt><dd><code dir="ltr">${uri}</code></dd></div></dl>`
}

/** The field for a code. */
export function codeField(label: string): Html {
  return html`<label for="code">${label}</label>
<input id="code" name="code" required maxlength="40" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" dir="ltr">`
}

/** Recovery codes, as they are shown once. */
export function recoveryCodes(codes: readonly string[]): Html {
  return html`<ul class="codes" role="list">${codes.map((code) => html`<li><code dir="ltr">${code}</code></li>`)}</ul>`
}
