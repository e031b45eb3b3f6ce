import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Shops. */
export const shopMessages = {
  not_found: {
    shop_not_found: 'There is no shop {shop}.',
  },
  conflict: {
    shop_status_forbids: '{move} is not possible while the shop {shop} is {status}.',
  },
} as const satisfies Catalogue

/** A code of shops. */
export type ShopCode = CodeOf<typeof shopMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<ShopCode, 'shops'> {}
}
