import { html } from 'hono/html'
import type { TryTexts } from '../texts/try.ts'
import { type Html, visible } from '../words.ts'
import { linesIn } from './lines.ts'
import type { Trial, TrialFinding } from './trial.ts'

/** A longer document is shown in parts: its beginning, and the lines around each finding. */
const mostLines = { whole: 2_000, beginning: 300, around: 3 }

/** The most characters of a line. */
const longestLine = 1_000

/** The first finding of a line, and its number. */
type Marks = ReadonlyMap<number, { readonly finding: TrialFinding; readonly number: number }>

/** The document with the numbers of its lines; those with findings are marked and lead to them. */
export function documentPart({ text, isRelaid, findings }: Trial, words: TryTexts): Html {
  const { document: texts } = words
  const lines = linesIn(text)
  const marks = marksOf(findings)
  const parts = shownParts(lines.length, marks)
  const lists = parts.map(([from, to], index) => {
    const items = lines.slice(from - 1, to).map((line, at) => lineItem(line, from + at, marks, words))
    const before = (parts[index - 1]?.[1] ?? 0) + 1
    const gap = before < from && html`<p class="hint">${texts.gap({ from: before, to: from - 1 })}</p>`
    return html`${gap}<ol class="lines" start="${from}">${items}</ol>`
  })
  const end = parts.at(-1)?.[1] ?? 0
  const left = end < lines.length && html`<p class="hint">${texts.gap({ from: end + 1, to: lines.length })}</p>`
  return html`<section class="card">
<h2 id="text">${texts.title}</h2>
${isRelaid && html`<p class="hint">${texts.relaid}</p>`}
<div class="text" tabindex="0" role="region" aria-labelledby="text">${lists}${left}</div>
</section>`
}

function marksOf(findings: readonly TrialFinding[]): Marks {
  const marks = new Map<number, { finding: TrialFinding; number: number }>()
  for (const [index, finding] of findings.entries()) {
    const { line, severity } = finding
    if (line === undefined) continue
    const known = marks.get(line)
    if (known === undefined || (known.finding.severity === 'warning' && severity === 'error'))
      marks.set(line, { finding, number: index + 1 })
  }
  return marks
}

/** The first and the last line of each part that is shown. */
function shownParts(count: number, marks: Marks): readonly (readonly [from: number, to: number])[] {
  const { whole, beginning, around } = mostLines
  if (count <= whole) return [[1, count]]
  const parts: [number, number][] = [[1, beginning]]
  for (const line of [...marks.keys()].sort((one, other) => one - other)) {
    const [from, to] = [line - around, Math.min(line + around, count)]
    const last = parts.at(-1) as [number, number]
    if (from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else parts.push([from, to])
  }
  return parts
}

function lineItem(line: string, number: number, marks: Marks, { findings }: TryTexts): Html {
  const mark = marks.get(number)
  const cut = line.length > longestLine ? `${line.slice(0, longestLine)}…` : line
  const code = html`<code>${visible(cut)}</code>`
  if (mark === undefined) return html`<li id="line-${number}">${code}</li>`
  const { finding, number: order } = mark
  return html`<li id="line-${number}" class="${finding.severity}">${code} <a href="#finding-${order}">${findings[finding.severity]}</a></li>`
}
