import type { Setting } from '../frame.ts'
import type { SignedSetting } from '../signed-in/area.ts'
import { en as signed } from '../signed-in/texts.ts'
import { type ApprovalTexts, en } from './texts.ts'

/** The path of these pages. */
export const home = '/mcp-approvals'

/** Texts, assets and area of the pages of approvals. */
export interface ApprovalSetting extends SignedSetting {
  readonly approvals: ApprovalTexts
}

/** Texts, assets and area of the pages of approvals, in English. */
export function approvalSetting(setting: Setting): ApprovalSetting {
  const { signIn: lead, back, arriving } = en
  const style = setting.assets.approvals
  const places = /^[1-9]\d{0,14}(?=\/|$)/
  const area = { home, name: 'approvals', style, lead, back, arriving, places, formLimit: 8192 }
  return { ...setting, approvals: en, signed, area }
}
