import { html } from 'hono/html'
import type { TryTexts } from '../texts/try.ts'
import { breakable, type Html, shown } from '../words.ts'
import type { Trial, TrialFinding } from './trial.ts'

/** The findings, each linked to the line that it is at. */
export function findingsPart(trial: Trial, words: TryTexts): Html {
  const { findings: texts } = words
  const { findings, findingCount, counts } = trial
  const items = findings.map((finding, index) => item(finding, index, texts))
  const rest = findingCount - items.length
  return html`<section class="card" aria-labelledby="findings">
<h2 id="findings">${texts.title} <span class="count">${findingCount}</span></h2>
<p>${verdictText(trial, texts)}</p>
<p class="hint">${texts.taken(counts)}</p>
${items.length > 0 && html`<ol class="findings" role="list">${items}</ol>`}
${rest > 0 && html`<p class="hint">${texts.more({ count: rest })}</p>`}
</section>`
}

function verdictText({ verdict, findings }: Trial, texts: TryTexts['findings']): string | undefined {
  if (verdict?.conformant === false) return texts.wrong
  if (verdict?.level !== undefined) return texts.level({ level: verdict.level })
  if (verdict !== undefined) return texts.standard
  return findings.length === 0 ? texts.none : undefined
}

function item(
  { severity, code, message, path, line, requirement }: TrialFinding,
  index: number,
  texts: TryTexts['findings'],
): Html {
  const place = line !== undefined && html`<a href="#line-${line}">${texts.line({ line })}</a>`
  return html`<li class="finding ${severity}" id="finding-${index + 1}">
<p><strong class="severity">${texts[severity]}</strong> ${place} ${path !== '' && html`<code dir="ltr">${breakable(path)}</code>`}</p>
<p>${shown(message)}</p>
<p class="hint"><code dir="ltr">${code}</code>${requirement !== undefined && html` · <span dir="ltr">${requirement}</span>`}</p>
</li>`
}
