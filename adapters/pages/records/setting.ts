import type { Setting } from '../frame.ts'
import type { SignedSetting } from '../signed-in/area.ts'
import type { Visit } from '../signed-in/visit.ts'
import { signedTexts } from '../texts/signed-in.ts'
import { type RecordTexts, recordTexts } from './texts.ts'

/** The path of these pages. */
export const home = '/records'

/** Texts, assets and area of the pages of things. */
export interface RecordSetting extends SignedSetting {
  readonly records: RecordTexts
}

/** One request to these pages. */
export type Visited = Visit<RecordSetting>

/** Texts, assets and area of these pages, in the language of a setting. They look as those of orders do. */
export function recordSetting(setting: Setting): RecordSetting {
  const { lang } = setting.texts
  const records = recordTexts(lang)
  const { signIn: lead, back, arriving } = records
  const places =
    /^[a-z-]{1,40}(?:\/(?:new\/[a-z_]{1,60}|[A-Za-z0-9][A-Za-z0-9._-]{0,63}(?:\/do\/[a-z_]{1,60})?))?(?=\/|$)/
  const area = { home, name: 'orders records', style: setting.assets.orders, lead, back, arriving, places }
  return { ...setting, records, signed: signedTexts(lang), area: { ...area, formLimit: 256 * 1024 } }
}
