import type { Judge } from '../judge.ts'
import { messageSchemaJudge } from './message.ts'
import { rulesJudge } from './rules.ts'
import { vocabularyJudge } from './vocabulary.ts'

/** Who judges documents of UN/CEFACT. */
export const judges: readonly Judge[] = [messageSchemaJudge, vocabularyJudge, rulesJudge]
