import { html, raw } from 'hono/html'
import type { SquareCode } from '../../engine/index.ts'
import type { Html } from './words.ts'

/** Modules of quiet zone on each side (ISO/IEC 18004, 9.1). */
const quiet = 4

/** A code as SVG, black on white in any scheme. Each run of dark modules is one rectangle. */
export function codePicture({ across, isDark }: SquareCode): Html {
  const size = across + 2 * quiet
  const runs = Array.from({ length: across }, (_, row) => runsOf(isDark.slice(row * across, (row + 1) * across), row))
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${raw(runs.join(''))}"/></svg>`
}

function runsOf(modules: readonly boolean[], row: number): string {
  const marks = modules.map((dark) => (dark ? '1' : '0')).join('')
  return [...marks.matchAll(/1+/g)]
    .map(({ index, 0: run }) => `M${index + quiet} ${row + quiet}h${run.length}v1h-${run.length}z`)
    .join('')
}
