import type { Setting } from '../frame.ts'
import type { SignedSetting } from '../signed-in/area.ts'
import type { Visit } from '../signed-in/visit.ts'
import { signedTexts } from '../texts/signed-in.ts'
import { type OrderTexts, orderTexts } from './texts.ts'

/** The path of these pages. */
export const home = '/orders'

/** The path of the page on which orders are imported. */
export const importHome = `${home}/import`

/** Texts, assets and area of the pages of orders. */
export interface OrderSetting extends SignedSetting {
  readonly orders: OrderTexts
}

/** One request to these pages. */
export type Visited = Visit<OrderSetting>

/** As much as an import of the largest size needs, with the boundaries of a form around it. */
const formLimit = 1024 * 1024 + 64 * 1024

/** Texts, assets and area of the pages of orders, in the language of a setting. */
export function orderSetting(setting: Setting): OrderSetting {
  const { lang } = setting.texts
  const orders = orderTexts(lang)
  const { signIn: lead, back, arriving } = orders
  const style = setting.assets.orders
  const places = /^(?:import(?:\/[1-9]\d{0,14})?|[1-9]\d{0,14}(?:\/do\/[a-z_]{1,60})?)(?=\/|$)/
  return {
    ...setting,
    orders,
    signed: signedTexts(lang),
    area: {
      home,
      name: 'orders',
      style,
      lead,
      back,
      arriving,
      places,
      takesFiles: true,
      formLimit,
    },
  }
}
