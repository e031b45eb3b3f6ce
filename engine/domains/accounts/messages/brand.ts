import type { Catalogue, CodeOf } from '../../../kernel/catalogue.ts'

/** Brands of businesses. */
export const brandMessages = {
  not_found: {
    brand_not_found: 'The business has no brand yet. Set its name first.',
  },
  value: {
    not_a_color: 'Expected a colour such as #0b5cad.',
    not_https: 'Expected an https URL without a user or password.',
    logo_type: 'The logo is no PNG, JPEG or WebP image.',
    logo_too_large: 'The logo is {width} by {height} pixels. Each side may have {limit}.',
  },
} as const satisfies Catalogue

/** A code of brands. */
export type BrandCode = CodeOf<typeof brandMessages>

declare module '../../../kernel/messages/index.ts' {
  interface Codes extends Record<BrandCode, 'accounts'> {}
}
