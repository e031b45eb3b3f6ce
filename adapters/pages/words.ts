import { html } from 'hono/html'
import { localTime } from '../../engine/index.ts'

/** HTML in which all foreign text is escaped. */
export type Html = ReturnType<typeof html>

/** A title made from a code or the name of a phase: `out_for_delivery` becomes `Out for delivery`. */
export function titleOf(code: string): string {
  const words = code
    .replace(/^x-/, '')
    .replace(/[_.-]+/g, ' ')
    .trim()
    .replace(/\b(eori|hs|ioss|sku|vat)\b/g, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A moment in local time, with its offset; the full instant is machine-readable. */
export function moment(instant: string, precision: 'minutes' | 'seconds' = 'minutes'): Html {
  const { date, time, offset } = localTime(instant)
  const clock = html`<span class="clock">${time}${precision === 'seconds' && instant.slice(16, 19)}</span> <span class="offset">UTC${offset}</span>`
  return html`<time datetime="${instant}"><span class="date">${date}</span> ${clock}</time>`
}

/** A foreign text without control characters, which HTML does not allow. */
export function shown(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}/gu, '\uFFFD')
}

/**
 * A text with invisible and direction-changing characters replaced by a visible mark, so that nobody approves what they
 * do not see.
 */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n/g, '\n')
    .replace(
      /(?![\n\t])\p{Cc}|[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu,
      '\uFFFD',
    )
}

/** A path that may wrap before its dots. */
export function breakable(path: string): readonly Html[] {
  return visible(path)
    .split(/(?=\.)/)
    .map((part) => html`${part}<wbr>`)
}

/** A share from 0 to 1 in percent. What is not whole is never shown as whole, and what is not nothing never as nothing. */
export function percent(share: number): string {
  if (share === 0 || share === 1) return `${share * 100} %`
  const tenths = Math.floor(share * 1_000) / 10
  return tenths === 0 ? '< 0.1 %' : `${tenths.toFixed(1)} %`
}
