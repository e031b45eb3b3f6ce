import type { Setting } from '../frame.ts'
import type { SignedSetting } from '../signed-in/area.ts'
import type { Visit } from '../signed-in/visit.ts'
import { signedTexts } from '../texts/signed-in.ts'
import { type MarkUpTexts, markUpTexts } from './texts.ts'

/** The path of the page. */
export const home = '/mark-ups'

/** Where the form with a file goes. */
export const importHome = `${home}/import`

/** Texts, assets and area of the page of mark-ups. */
export interface MarkUpSetting extends SignedSetting {
  readonly markUps: MarkUpTexts
}

/** One request to the page. */
export type Visited = Visit<MarkUpSetting>

/** Texts, assets and area of the page of mark-ups, in the language of a setting. */
export function markUpSetting(setting: Setting): MarkUpSetting {
  const { lang } = setting.texts
  const markUps = markUpTexts(lang)
  const { signIn: lead, back, arriving } = markUps
  const limits = { places: /^import(?=\/|$)/, takesFiles: true, formLimit: 1024 * 1024 }
  const area = { home, name: 'mark-ups', style: setting.assets.markUps, lead, back, arriving, ...limits }
  return { ...setting, markUps, signed: signedTexts(lang), area }
}
