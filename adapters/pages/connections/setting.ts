import type { Setting } from '../frame.ts'
import type { SignedSetting } from '../signed-in/area.ts'
import type { Visit } from '../signed-in/visit.ts'
import { type ConnectionTexts, connectionTexts } from '../texts/connections.ts'
import { signedTexts } from '../texts/signed-in.ts'

/** The path of these pages. */
export const home = '/mcp-connections'

/** The path of the question whether a program may act in somebody's name; the sealed request of the program follows. */
export const consentHome = `${home}/consent`

/** Texts, assets and area of the pages of connected programs. */
export interface ConnectionSetting extends SignedSetting {
  readonly connections: ConnectionTexts
}

/** One request to these pages. */
export type Visited = Visit<ConnectionSetting>

const places = /^consent\/[\w.-]{1,10000}(?=\/|$)/

/** Texts, assets and area of the pages of connected programs, in the language of a setting. */
export function connectionSetting(setting: Setting): ConnectionSetting {
  const { lang } = setting.texts
  const connections = connectionTexts(lang)
  const { signIn: lead, back, arriving } = connections
  const style = setting.assets.connections
  const area = { home, name: 'connections', style, lead, back, arriving, places, formLimit: 32 * 1024 }
  return { ...setting, connections, signed: signedTexts(lang), area }
}
