import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import { type getIngestHealth, instantOf, zonedIso } from '../../../engine/index.ts'
import { barPlot } from '../signed-in/plot.ts'
import { breakable, type Html } from '../words.ts'
import { type Column, figures, figuresOf, localMoment } from './table.ts'
import type { TodayTexts } from './texts.ts'

/** What providers push, as the operation returns it. */
export type Ingest = InferOutput<typeof getIngestHealth.output>

/** What providers push: a bar for each hour, and a row for each provider. */
export function ingestPart(seen: Ingest, zone: string, texts: TodayTexts): Html {
  const { ingest: words, figures: label, number, percent } = texts
  const { received, refused, refused_rate: rate, hours, providers, counted_since } = seen
  const most = Math.max(1, ...hours.map((one) => one.received))
  const bars = hours.map((one, place) => ({
    place,
    parts: [['good', one.received - one.refused] as const, ['bad', one.refused] as const],
  }))
  const clock = (start: string) => zonedIso(instantOf(start), zone).slice(11, 16)
  const ends = [clock(hours[0]?.start ?? counted_since), clock(hours.at(-1)?.start ?? counted_since)] as const
  const plot = barPlot(bars, hours.length, most, {
    title: words.plot,
    scale: words.scale({ most: number(most) }),
    ends,
  })
  const ofHours = figures(
    words.plot,
    [[words.hour], [words.received, 'number'], [words.refused, 'number']],
    hours.map((one) => [clock(one.start), number(one.received), number(one.refused)]),
  )
  const summary =
    rate === null
      ? words.nothing
      : words.summary({ received: number(received), refused: number(refused), rate: percent(rate) })
  return html`<section aria-labelledby="ingest"><h2 id="ingest">${words.title}</h2>
<p>${summary} <span class="label" title="${words.sinceHint}">${words.since} ${localMoment(counted_since, zone)}</span></p>
${rate !== null && html`${plot}${figuresOf(label, ofHours)}`}
${providers.length === 0 ? html`<p class="hint">${words.none}</p>` : providerTable(providers, zone, texts)}</section>`
}

function providerTable(
  providers: Ingest['providers'],
  zone: string,
  { ingest: words, number, percent }: TodayTexts,
): Html {
  const columns: readonly Column[] = [
    ...[[words.provider] as const, [words.heard] as const, [words.lastHour, 'number'] as const],
    ...([words.day, words.repeated, words.refused].map((one) => [one, 'number']) as Column[]),
    [words.codes],
  ]
  const rows = providers.map(({ provider, all_businesses, counts_hidden, last_heard_at, ...counted }) => {
    const name = html`<bdi>${provider}</bdi>${all_businesses && html` <span class="label">${words.shared}</span>`}`
    const heard = last_heard_at === null ? words.never : localMoment(last_heard_at, zone)
    if (counts_hidden) return [name, heard, '–', '–', '–', '–', html`<span class="hint">${words.hidden}</span>`]
    const { last_hour, received, repeated, refused, refused_rate: rate, codes } = counted
    const why = codes.map(
      ({ code, events }) => html`<li><code>${breakable(code)}</code> <span class="label">${number(events)}</span></li>`,
    )
    return [
      ...[name, heard, number(last_hour), number(received), number(repeated)],
      rate === null ? '–' : html`${number(refused)} <span class="label">${percent(rate)}</span>`,
      why.length === 0 ? '–' : html`<ul role="list">${why}</ul>`,
    ]
  })
  return figures(words.provider, columns, rows)
}
