import type { ShopKind } from '../../../engine/index.ts'
import { amazon } from './amazon.ts'
import { bigcommerce } from './bigcommerce.ts'
import { etsy } from './etsy.ts'
import { magento } from './magento.ts'
import type { ShopDriver } from './shop.ts'
import { shopify } from './shopify.ts'
import { walmart } from './walmart.ts'
import { woocommerce } from './woocommerce.ts'

/** THE LIST of kinds of shops. */
export const drivers: Readonly<Record<ShopKind, ShopDriver>> = {
  shopify,
  woocommerce,
  bigcommerce,
  magento,
  etsy,
  amazon,
  walmart,
}
