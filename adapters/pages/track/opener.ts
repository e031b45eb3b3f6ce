import { html } from 'hono/html'
import { languageField, type Setting } from '../frame.ts'
import type { PageTexts } from '../texts/index.ts'
import type { Html } from '../words.ts'

/** Why a visitor does not see all of a timeline in spite of a postal code or a link. */
export type OpenerRefusal = keyof PageTexts['opener']['refused']

/** The form for the postal code of the delivery, which shows all of a timeline; it needs no script. */
export function openerForm(number: string, refused: OpenerRefusal | undefined, setting: Setting): Html {
  const { opener } = setting.texts
  const isWrong = refused === undefined ? undefined : html`autofocus aria-invalid="true" aria-describedby="refused"`
  return html`<section class="card opener" aria-labelledby="opener">
<h2 id="opener">${opener.title}</h2>
<p class="hint">${opener.lead}</p>
${refused && html`<p class="notice" id="refused" role="alert"><span>${opener.refused[refused]}</span></p>`}
<form class="number" action="/track/${encodeURIComponent(number)}" method="post">
${languageField(setting)}<label for="postal_code">${opener.label}</label>
<div class="field">
<input id="postal_code" name="postal_code" type="text" required maxlength="20"
  autocomplete="postal-code" autocapitalize="characters" spellcheck="false" dir="ltr" ${isWrong}>
<button type="submit">${opener.button}</button>
</div>
</form>
</section>`
}
