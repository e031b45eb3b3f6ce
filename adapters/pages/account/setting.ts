import type { Setting } from '../frame.ts'
import type { SignedSetting } from '../signed-in/area.ts'
import { en as signed } from '../signed-in/texts.ts'
import type { Visit } from '../signed-in/visit.ts'
import { signedTextsIn } from '../texts/signed-in.ts'
import { type AccountTexts, en } from './texts.ts'

/** The path of these pages. */
export const home = '/account'

/** Texts, assets and area of the pages of one's own account. */
export interface AccountSetting extends SignedSetting {
  readonly own: AccountTexts
}

/** One request to these pages. */
export type Visited = Visit<AccountSetting>

/** Texts, assets and area of the pages of one's own account, in English. */
export function accountSetting(setting: Setting): AccountSetting {
  const { signIn: lead, back, arriving } = en
  // No other page of the area asks for a sign-in, so there is none to return to.
  const area = {
    home,
    name: 'own',
    style: setting.assets.account,
    lead,
    back,
    arriving,
    places: /^(?!)/,
    formLimit: 8192,
  }
  return { ...setting, own: en, signed, area }
}

/** Texts, assets and area of the pages for people who come back from an identity provider, in the language of a setting. */
export function returnSetting(setting: Setting): AccountSetting {
  const translated = signedTextsIn(setting.texts.lang)
  const { again } = translated.signOn
  const { area, ...rest } = accountSetting(setting)
  return { ...rest, signed: translated, area: { ...area, lead: '', back: again, arriving: again } }
}
