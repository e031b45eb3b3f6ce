import type { Setting } from '../frame.ts'
import type { SignedSetting } from '../signed-in/area.ts'
import type { Visit } from '../signed-in/visit.ts'
import { signedTexts } from '../texts/signed-in.ts'
import { type KeyTexts, keyTexts } from './texts.ts'

/** The path of the API keys. */
export const home = '/keys'

/** The path of the staff roles of the business. */
export const rolesHome = `${home}/roles`

/** The path of the identity provider of the business. */
export const signOnHome = `${home}/identity`

/** The path of the providers of the business. */
export const providersHome = `${home}/providers`

/** The path of the service accounts of the business. */
export const serviceAccountsHome = `${home}/services`

/** Texts, assets and area of the pages of keys and roles. */
export interface KeySetting extends SignedSetting {
  readonly keys: KeyTexts
}

/** One request to these pages. */
export type Visited = Visit<KeySetting>

/** Texts, assets and area of the pages of keys and roles, in the language of a setting. */
export function keySetting(setting: Setting): KeySetting {
  const { lang } = setting.texts
  const keys = keyTexts(lang)
  const { signIn: lead, back, arriving } = keys
  const style = setting.assets.keys
  const places =
    /^(?:identity|(?:roles|services)(?:\/[1-9]\d{0,14})?|providers|[1-9]\d{0,14}\/(?:rotate|revoke))(?=\/|$)/
  const area = { home, name: 'keys', style, lead, back, arriving, places, formLimit: 64 * 1024 }
  return { ...setting, keys, signed: signedTexts(lang), area }
}
