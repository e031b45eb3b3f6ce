import type { Setting } from '../frame.ts'
import type { SignedSetting } from '../signed-in/area.ts'
import { signedTexts } from '../texts/signed-in.ts'
import { type ApprovalTexts, approvalTexts } from './texts.ts'

/** The path of these pages. */
export const home = '/mcp-approvals'

/** Texts, assets and area of the pages of approvals. */
export interface ApprovalSetting extends SignedSetting {
  readonly approvals: ApprovalTexts
}

/** Texts, assets and area of the pages of approvals, in the language of a setting. */
export function approvalSetting(setting: Setting): ApprovalSetting {
  const { lang } = setting.texts
  const approvals = approvalTexts(lang)
  const { signIn: lead, back, arriving } = approvals
  const style = setting.assets.approvals
  const places = /^[1-9]\d{0,14}(?=\/|$)/
  const area = { home, name: 'approvals', style, lead, back, arriving, places, formLimit: 8192 }
  return { ...setting, approvals, signed: signedTexts(lang), area }
}
