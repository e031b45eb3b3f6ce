import { html } from 'hono/html'
import { attemptPhases } from '../../../engine/index.ts'
import type { Html } from '../words.ts'
import type { Delivery } from './parts.ts'
import type { WebhookTexts } from './texts/index.ts'

type Attempt = Pick<Delivery['history'][number], 'phases' | 'failed_phase'>

/** Where the time of an attempt went: a bar, and the same in words. */
export function phaseLine({ phases, failed_phase }: Attempt, texts: WebhookTexts): Html | undefined {
  if (phases === null) return undefined
  const times = attemptPhases.flatMap((phase) => {
    const ms = phases[`${phase}_ms`]
    return ms === null ? [] : [{ phase, ms, kind: phase === failed_phase ? `${phase} bad` : phase }]
  })
  const words = times.map(
    ({ phase, ms, kind }) => html`<span class="${kind}">${texts.phases[phase]} ${texts.delivery.took({ ms })}</span> `,
  )
  return html`<p class="phases">${bar(times)}${words}${phases.reused && texts.delivery.reused}</p>`
}

/** The phases from left to right. It says nothing that the words beside it do not say. */
function bar(times: readonly { readonly ms: number; readonly kind: string }[]): Html | undefined {
  const total = times.reduce((sum, { ms }) => sum + ms, 0)
  if (total === 0) return undefined
  let end = 0
  const parts = times.map(({ ms, kind }) => {
    const start = end
    end += ms
    return html`<rect class="${kind}" x="${start}" width="${ms}" height="1"/>`
  })
  return html`<svg viewBox="0 0 ${total} 1" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`
}
