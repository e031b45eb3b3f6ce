import * as v from 'valibot'
import type { EventBase } from '../../../entity/machine.ts'
import type { Brand } from '../../../kernel/brand.ts'
import type { Event } from '../../../kernel/event.ts'
import { parsedFileName } from '../../../kernel/files.ts'
import type { Code } from '../../../kernel/messages/index.ts'
import { named } from '../../../kernel/named.ts'
import { omitUndefined } from '../../../kernel/omit-undefined.ts'
import { refusing } from '../../../kernel/schemas.ts'
import { mailedName } from '../schema.ts'

/** What staff say of a brand. */
export interface BrandValues {
  readonly name: string
  readonly accent_color?: string
  readonly website_url?: string
  readonly support_url?: string
}

/** The events of a brand, in the stream of its business. */
export type BrandEvent =
  | Event<'BusinessBrandSet', EventBase & BrandValues>
  | Event<'BusinessLogoSet', EventBase & { readonly file: string; readonly width: number; readonly height: number }>
  | Event<'BusinessLogoRemoved' | 'BusinessBrandRemoved', EventBase>

/** The brand after an event. A logo is part of a brand, and stays while its name, colour and links change. */
export function brandAfter(brand: Brand | undefined, event: Event): Brand | undefined {
  const { type, data } = event as BrandEvent
  switch (type) {
    case 'BusinessBrandSet': {
      const { name, accent_color: accent, website_url: website, support_url: support } = data
      return { name, accent, website, support, logo: brand?.logo }
    }
    case 'BusinessLogoSet': {
      const file = parsedFileName(data.file)?.name
      return brand && file && { ...brand, logo: { file, width: data.width, height: data.height } }
    }
    case 'BusinessLogoRemoved':
      return brand && { ...brand, logo: undefined }
    case 'BusinessBrandRemoved':
      return undefined
    default:
      return brand
  }
}

const httpsUrl = v.pipe(
  v.string(),
  v.maxLength(500),
  refusing((text) => (/^https:\/\/[^\s/]/.test(text) && isPlainUrl(text) ? undefined : 'not_https')),
  v.metadata({ format: 'uri' }),
)

/** A URL without a user and a password, which would be shown to everybody. */
function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

/** The members of a brand that staff set. */
export const brandEntries = {
  name: v.pipe(mailedName, v.description('The name that recipients know.')),
  accent_color: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^#[0-9a-fA-F]{6}$/, 'not_a_color' satisfies Code),
      v.description('Colour of links, buttons and progress; made darker or lighter where it could not be read.'),
    ),
  ),
  website_url: v.exactOptional(v.pipe(httpsUrl, v.description('Where the name and the logo lead.'))),
  support_url: v.exactOptional(v.pipe(httpsUrl, v.description('Where recipients find help.'))),
}

/** A brand as answers show it. */
export const brandRecord = named(
  'Brand',
  v.strictObject({
    ...brandEntries,
    logo: v.nullable(v.strictObject({ width: v.number(), height: v.number() })),
  }),
)

/** The record of a brand. */
export function recordOfBrand({ name, accent, website, support, logo }: Brand): v.InferOutput<typeof brandRecord> {
  const links = { accent_color: accent, website_url: website, support_url: support }
  return { name, ...omitUndefined(links), logo: logo === undefined ? null : { width: logo.width, height: logo.height } }
}
