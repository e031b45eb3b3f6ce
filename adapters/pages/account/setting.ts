import type { Setting } from '../frame.ts'
import type { SignedSetting } from '../signed-in/area.ts'
import { en as signed } from '../signed-in/texts.ts'
import type { Visit } from '../signed-in/visit.ts'
import { type AccountTexts, en } from './texts.ts'

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

/** Texts, assets and area of the pages of one's own account, in English. */
export function accountSetting(setting: Setting): AccountSetting {
  const { signIn: lead, back, arriving } = en
  const area = {
    home,
    name: 'own',
    style: setting.assets.account,
    lead,
    back,
    arriving,
    places: /^people(?=\/|$)/,
    formLimit: 8192,
  }
  return { ...setting, own: en, signed, area }
}
