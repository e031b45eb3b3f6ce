import type { PageLanguage } from '../../../../engine/index.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { type ApprovalTexts, en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { hans } from './zh-hans.ts'
import { hant } from './zh-hant.ts'

export type { ApprovalTexts } from './en.ts'

/** The fixed texts of the pages of approvals, by language. */
export const approvalTexts: Readonly<Record<PageLanguage, ApprovalTexts>> = {
  ...{ en, fr, de, es, ar },
  'zh-Hans': hans,
  'zh-Hant': hant,
}
