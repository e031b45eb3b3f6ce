import type { Setting } from '../frame.ts'
import type { SignedSetting } from '../signed-in/area.ts'
import type { Visit } from '../signed-in/visit.ts'
import { signedTexts } from '../texts/signed-in.ts'
import { type MoneyTexts, moneyTexts } from './texts.ts'

/** The path of the page. */
export const home = '/money'

/** Where the statements of a month are issued. */
export const issueHome = `${home}/issue`

/** Texts, assets and area of the page of money. */
export interface MoneySetting extends SignedSetting {
  readonly money: MoneyTexts
}

/** One request to the page. */
export type Visited = Visit<MoneySetting>

/** Texts, assets and area of the page of money, in the language of a setting. It looks as those of orders do. */
export function moneySetting(setting: Setting): MoneySetting {
  const { lang } = setting.texts
  const money = moneyTexts(lang)
  const { signIn: lead, back, arriving } = money
  const limits = { places: /^issue(?=\/|$)/, formLimit: 64 * 1024 }
  const area = { home, name: 'orders money', style: setting.assets.orders, lead, back, arriving, ...limits }
  return { ...setting, money, signed: signedTexts(lang), area }
}
