import { html } from 'hono/html'
import { languageField, type Setting } from '../../frame.ts'
import type { Html } from '../../words.ts'

/** The form for the address to which news of a number are sent; it needs no script. */
export function newsForm(number: string, setting: Setting): Html {
  const { form } = setting.texts.news
  return html`<section class="card news" aria-labelledby="news">
<h2 id="news">${form.title}</h2>
<p class="hint" id="news-lead">${form.lead}</p>
<form class="number" action="/track-notify/${encodeURIComponent(number)}" method="post">
${languageField(setting)}<label for="email">${form.label}</label>
<div class="field">
<input id="email" name="email" type="email" required maxlength="254" autocomplete="email" dir="ltr" aria-describedby="news-lead">
<button type="submit">${form.button}</button>
</div>
</form>
</section>`
}
