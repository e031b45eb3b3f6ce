import { html } from 'hono/html'
import { isoOf } from '../../engine/index.ts'
import { frame, numberForm, type Setting } from './frame.ts'
import { developerTexts } from './texts/developers.ts'
import type { Html } from './words.ts'

const plainHost = /^[A-Za-z0-9.:[\]-]{1,255}$/

/** The address of this server as its visitor wrote it, if that is harmless; otherwise localhost. */
export function originOf(host: string | undefined, hsts: boolean): string {
  return `${hsts ? 'https' : 'http'}://${host !== undefined && plainHost.test(host) ? host : 'localhost:3000'}`
}

/** The first page: three steps to the first event. `now` (epoch milliseconds) is the time of that event. */
export function homePage(setting: Setting, origin: string, now: number): Html {
  const { assets } = setting
  const { home } = developerTexts
  const push = [
    `curl ${origin}/api/v1/otep/ingest \\`,
    '  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\',
    `  -d '{"subject": {"tracking_number": "DEMO-1"},`,
    `       "status_code": "picked_up", "occurred_at": "${isoOf(now).replace(/\.\d+Z$/, '+00:00')}",`,
    `       "location": {"name": "Depot", "address": {"locality": "Toronto", "country": "CA"}}}'`,
  ]
  const read = [`curl ${origin}/api/v1/otep/trackings/DEMO-1`]
  const page = html`<a href="/track/DEMO-1">${origin}/track/DEMO-1</a>`
  const links = Object.entries(home.links).map(([path, words]) => html`<li><a href="${path}">${words}</a></li>`)
  const main = html`<main id="content" tabindex="-1" class="home">
<section class="hero">
<div><h1>${home.title}</h1><p class="lead">${home.lead}</p></div>
${numberForm(setting, 'large')}
</section>
<section class="card start" aria-labelledby="start">
<h2 id="start">${home.start}</h2>
<ol role="list">
<li><h3>${home.steps.key}</h3><p>${home.steps.keyHint}</p>${command(['KEY=$(npx --no otep provider add demo --all-businesses)'])}</li>
<li><h3>${home.steps.push}</h3><p>${home.steps.pushHint}</p>${command(push)}</li>
<li><h3>${home.steps.read}</h3><p>${home.steps.readHint} ${page}</p>${command(read)}</li>
</ol>
</section>
<nav class="reference" aria-labelledby="reference">
<h2 id="reference">${home.reference}</h2>
<ul role="list">${links}</ul>
</nav>
</main>`
  return frame({ title: home.title, main, scripts: [assets.copy], search: false }, setting)
}

function command(lines: readonly string[]): Html {
  const { home } = developerTexts
  return html`<div class="command"><pre><code>${lines.join('\n')}</code></pre>
<button type="button" class="copy" data-copied="${home.copied}" hidden>${home.copy}</button>
</div>`
}
