import type { Setting } from '../frame.ts'
import type { SignedSetting } from '../signed-in/area.ts'
import type { Visit } from '../signed-in/visit.ts'
import { signedTexts } from '../texts/signed-in.ts'
import { type TodayTexts, todayTexts } from './texts.ts'

/** The path of the page. */
export const home = '/today'

/** Texts, assets and area of the page of today. */
export interface TodaySetting extends SignedSetting {
  readonly today: TodayTexts
}

/** One request to this page. */
export type Visited = Visit<TodaySetting>

/** Texts, assets and area of the page of today, in the language of a setting. */
export function todaySetting(setting: Setting): TodaySetting {
  const { lang } = setting.texts
  const today = todayTexts(lang)
  const { signIn: lead, back, arriving } = today
  const style = setting.assets.today
  // It is one page, so there is no place below it to return to.
  const area = { home, name: 'today', style, lead, back, arriving, places: /^(?!)/, formLimit: 64 * 1024 }
  return { ...setting, today, signed: signedTexts(lang), area }
}
