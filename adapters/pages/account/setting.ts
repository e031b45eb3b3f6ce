import type { Setting } from '../frame.ts'
import type { SignedSetting } from '../signed-in/area.ts'
import type { Visit } from '../signed-in/visit.ts'
import { type AccountTexts, accountTexts } from '../texts/account.ts'
import { signedTexts } from '../texts/signed-in.ts'

/** The path of these pages. */
export const home = '/account'

/** The path of the second factors of the business. */
export const peopleHome = `${home}/people`

/** Texts, assets and area of the pages of one's own account. */
export interface AccountSetting extends SignedSetting {
  readonly own: AccountTexts
}

/** One request to these pages. */
export type Visited = Visit<AccountSetting>

/** Texts, assets and area of the pages of one's own account, in the language of a setting. */
export function accountSetting(setting: Setting): AccountSetting {
  const { lang } = setting.texts
  const own = accountTexts(lang)
  const { signIn: lead, title: back } = own
  const area = {
    home,
    name: 'own',
    style: setting.assets.account,
    lead,
    back,
    arriving: back,
    places: /^people(?=\/|$)/,
    formLimit: 8192,
  }
  return { ...setting, own, signed: signedTexts(lang), area }
}

/** Texts, assets and area of the pages for people who come back from an identity provider, in the language of a setting. */
export function returnSetting(setting: Setting): AccountSetting {
  const { area, signed, ...rest } = accountSetting(setting)
  const { again } = signed.signOn
  return { ...rest, signed, area: { ...area, lead: '', back: again, arriving: again } }
}
