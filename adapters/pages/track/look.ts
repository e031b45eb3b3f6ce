import { raw } from 'hono/html'
import { type Brand, brandFor, type Context, type StreamName, sha256 } from '../../../engine/index.ts'
import type { Look } from '../frame.ts'
import { accentsFor } from './brand/accents.ts'

/** What a page for recipients is about: a timeline, and the number by which they know it. */
interface Subject {
  readonly timeline: StreamName
  readonly number: string
}

/** How pages about a timeline look; undefined if it has no brand. */
export async function lookFor(context: Context, { timeline, number }: Subject): Promise<Look | undefined> {
  const brand = await brandFor(context, timeline)
  if (brand === undefined) return undefined
  const { name, website, support, accent } = brand
  return {
    name,
    website,
    support,
    logo: logoOf(brand, number),
    style: accent === undefined ? undefined : styleOf(accent),
  }
}

/** Changes whenever a page would look otherwise. */
export function looksLike(look: Look | undefined): string {
  return look === undefined ? '' : JSON.stringify({ ...look, style: look.style?.hash })
}

/** The version of a logo, which its address has, so that browsers keep it. */
export function logoVersion({ logo }: Brand): string {
  return logo === undefined ? '' : sha256(logo.file).slice(0, 12)
}

/** Tallest and widest logo on a page, in CSS pixels. */
const room = { height: 40, width: 200 }

function logoOf(brand: Brand, number: string): Look['logo'] {
  if (brand.logo === undefined) return undefined
  const { width, height } = brand.logo
  const scale = Math.min(1, room.height / height, room.width / width)
  const path = `/track-logo/${encodeURIComponent(number)}?v=${logoVersion(brand)}`
  return { path, width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** The colours of a brand as styles of one page, which its policy allows by their hash. */
function styleOf(accent: string): NonNullable<Look['style']> {
  const { light, dark } = accentsFor(accent)
  const css = `:root{--accent:${light};--brand:${accent}}@media (prefers-color-scheme:dark){:root{--accent:${dark}}}`
  return { css: raw(css), hash: `sha256-${Buffer.from(sha256(css), 'hex').toString('base64')}`, accent }
}
