import type { Judge } from '../judge.ts'
import { messageSchemaJudge } from './message.ts'
import { rulesJudge } from './rules.ts'
import { vocabularyJudge } from './vocabulary.ts'

/** The judges of UN/CEFACT documents. */
export const judges: readonly Judge[] = [messageSchemaJudge, vocabularyJudge, rulesJudge]
