import { html } from 'hono/html'
import type { InferOutput } from 'valibot'
import type { getServerState } from '../../../engine/index.ts'
import type { Html } from '../words.ts'
import { figures, localMoment } from './table.ts'
import type { TodayTexts } from './texts.ts'

/** The state of the server, as the operation returns it. */
export type ServerSeen = InferOutput<typeof getServerState.output>

/** The store and its nodes, for operators of the server. */
export function serverPart({ store, bytes, damaged, nodes }: ServerSeen, zone: string, texts: TodayTexts): Html {
  const { server: words, number, comma } = texts
  const facts = [
    [words.store, html`<code>${store}</code>`],
    ...(bytes === null ? [] : [[words.size, words.bytes(bytes)]]),
    ...(damaged === null ? [] : [[words.damaged, number(damaged)]]),
  ]
  const rows = nodes.map(({ host, name, state, version, last_heard_at, leases, models }) => [
    html`<bdi>${host}</bdi> <span class="label"><code>${name.slice(0, 8)}</code></span>`,
    words.states[state],
    version,
    localMoment(last_heard_at, zone),
    leases.length === 0 ? '–' : leases.join(comma),
    modelWords(models, texts),
  ])
  const columns = [words.node, words.state, words.version, words.heard, words.leases, words.models]
  return html`<section aria-labelledby="server"><h2 id="server">${words.title}</h2>
<dl class="meta">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${
  rows.length === 0
    ? html`<p class="hint">${words.none}</p>`
    : figures(
        words.title,
        columns.map((one) => [one] as const),
        rows,
      )
}</section>`
}

function modelWords(models: ServerSeen['nodes'][number]['models'], { server: words, comma }: TodayTexts): string {
  const behind = models.filter(({ caught_up }) => !caught_up)
  if (behind.length === 0) return words.caughtUp({ models: models.length })
  return behind.map(({ name, lag_seconds }) => words.behind({ name, seconds: lag_seconds })).join(comma)
}
