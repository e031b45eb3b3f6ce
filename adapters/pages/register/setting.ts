import type { Setting } from '../frame.ts'
import type { SignedSetting } from '../signed-in/area.ts'
import type { Visit } from '../signed-in/visit.ts'
import { type RegisterTexts, registerTexts } from '../texts/register.ts'
import { signedTexts } from '../texts/signed-in.ts'

/** The path of these pages; the codes of the app and of its client follow. */
export const home = '/register'

/** Texts, assets and area of the page on which customers register. */
export interface RegisterSetting extends SignedSetting {
  readonly register: RegisterTexts
}

/** One request to these pages. */
export type Visited = Visit<RegisterSetting>

/** Texts, assets and area of the page on which customers register, in the language of a setting. */
export function registerSetting(setting: Setting): RegisterSetting {
  const { lang } = setting.texts
  const register = registerTexts(lang)
  const words = { lead: '', back: register.start, arriving: '' }
  // Nobody signs in here, so there is no page to return to.
  const area = { home, name: 'own', style: setting.assets.account, ...words, places: /^(?!)/, formLimit: 8192 }
  return { ...setting, register, signed: signedTexts(lang), area }
}
