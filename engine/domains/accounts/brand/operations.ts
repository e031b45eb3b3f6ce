import * as v from 'valibot'
import { commandStamp } from '../../../entity/operations.ts'
import { accountOf } from '../../../kernel/call.ts'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { named } from '../../../kernel/named.ts'
import { operation } from '../../../kernel/operation.ts'
import type { BrandCommand } from '../business.ts'
import { changeBrand } from '../change.ts'
import { brandOf } from '../read.ts'
import { brandEntries, brandRecord, recordOfBrand } from './brand.ts'
import { keepLogo, largestLogo, logoTypes } from './logo.ts'

const path = '/api/v1/business/brand'
const logoPath = `${path}/logo` as const
const byAdmin = { scopes: ['accounts:write'], roles: ['client_admin'], risk: 'medium', tag: 'Business' } as const

const brandAnswer = named('BrandAnswer', v.strictObject({ result: v.literal(true), brand: v.nullable(brandRecord) }))

/** Shows the brand of the caller's business. */
export const showBrand = operation({
  name: 'show_brand',
  summary: 'How the business shows itself on tracking pages: name, logo, colour and links. Null if it has no brand.',
  scopes: ['accounts:read'],
  roles: ['client_admin', 'client_employee'],
  risk: 'low',
  tag: 'Business',
  rest: { method: 'GET', path },
  input: v.strictObject({}),
  output: brandAnswer,
  errors: [],
  handle: async (context) => {
    const brand = await brandOf(context, accountOf(context).business.id)
    return { result: true, brand: brand === undefined ? null : recordOfBrand(brand) }
  },
})

/** Sets the brand of the caller's business. */
export const setBrand = operation({
  name: 'set_brand',
  summary:
    'Set the name, colour and links of the brand that tracking pages of the business show. What is left out is removed; the logo stays.',
  ...byAdmin,
  rest: { method: 'PUT', path },
  input: v.strictObject(brandEntries),
  output: brandAnswer,
  errors: ['contention'],
  handle: (context, brand) => changed(context, { type: 'SetBrand', brand, ...commandStamp(context) }),
})

/** Removes the brand of the caller's business. */
export const removeBrand = operation({
  name: 'remove_brand',
  summary: 'Remove the brand with its logo. Tracking pages of the business then look like those of the server.',
  ...byAdmin,
  rest: { method: 'DELETE', path },
  input: v.strictObject({}),
  output: brandAnswer,
  errors: ['contention', 'files_unavailable'],
  handle: (context) => changed(context, { type: 'RemoveBrand', ...commandStamp(context) }),
})

/** Sets the logo of the brand. */
export const uploadBrandLogo = operation({
  name: 'upload_brand_logo',
  summary: `Set the logo of the brand: PNG, JPEG or WebP, at most ${largestLogo.bytes / 1024} KiB, and ${largestLogo.side} pixels on each side.`,
  ...byAdmin,
  rest: {
    method: 'PUT',
    path: logoPath,
    document: 'content',
    types: logoTypes,
    isBinary: true,
    bodyLimit: largestLogo.bytes,
  },
  input: v.strictObject({
    content: v.pipe(
      v.string(),
      v.minLength(1),
      v.description('The image itself.'),
      v.metadata({ contentEncoding: 'base64' }),
    ),
  }),
  output: brandAnswer,
  errors: ['brand_not_found', 'logo_type', 'logo_too_large', 'files_unavailable', 'contention'],
  handle: async (context, { content }) => {
    const { id } = accountOf(context).business
    if ((await brandOf(context, id)) === undefined) throw new EngineError('brand_not_found')
    const logo = await keepLogo(context, id, content)
    return changed(context, { type: 'SetLogo', logo, ...commandStamp(context) })
  },
})

/** Removes the logo of the brand. */
export const removeBrandLogo = operation({
  name: 'remove_brand_logo',
  summary: 'Remove the logo of the brand. Tracking pages then show its name.',
  ...byAdmin,
  rest: { method: 'DELETE', path: logoPath },
  input: v.strictObject({}),
  output: brandAnswer,
  errors: ['contention', 'files_unavailable'],
  handle: (context) => changed(context, { type: 'RemoveLogo', ...commandStamp(context) }),
})

/** Changes the brand. A logo that it no longer has is removed; if the process ends before, the daily sweep does it. */
async function changed(context: Context, command: BrandCommand) {
  const { before, after } = await changeBrand(context, accountOf(context).business.id, command)
  const old = before?.logo?.file
  if (old !== undefined && old !== after?.logo?.file) await context.files.remove(old)
  return { result: true as const, brand: after === undefined ? null : recordOfBrand(after) }
}
