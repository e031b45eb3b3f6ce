import { html } from 'hono/html'
import type { Html } from '../words.ts'
import type { Standing, StepState } from './progress.ts'

/** What has an icon; there are always words beside it. */
type IconName = Standing | StepState | 'notice' | 'place' | 'proof' | 'clock'

const check = 'M5 12.5l4.5 4.5L19 7.5'
const dot = 'M12 12h.01'
const pause = 'M9 8v8M15 8v8'
const alert = 'M12 6v7M12 17.5h.01'
const cross = 'M7 7l10 10M17 7L7 17'
const back = 'M10 6l-5 5 5 5M5 11h9a5 5 0 0 1 0 10'
const onward = 'M5 12h14M13 6l6 6-6 6'

const shapes: Readonly<Record<IconName, string>> = {
  ahead: onward,
  arrived: check,
  held: alert,
  returning: back,
  ended: cross,
  unregistered: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5h.01',
  empty: 'M6 12h12',
  done: check,
  current: dot,
  stopped: pause,
  upcoming: '',
  notice: 'M12 11v6M12 7h.01',
  place: 'M12 21s-6.5-6-6.5-11a6.5 6.5 0 0 1 13 0c0 5-6.5 11-6.5 11zM12 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  proof: 'M4 17c3 0 3-6 5-6s0 6 2 6 2-4 4-4 1 4 5 4',
  clock: 'M12 7v5l3.5 2M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z',
}

/** A decorative icon, hidden from screen readers. */
export function icon(name: IconName): Html {
  const picture = html`<path d="${shapes[name]}"/>`
  return html`<svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">${picture}</svg>`
}
