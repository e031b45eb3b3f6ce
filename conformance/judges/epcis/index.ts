import type { Judge } from '../judge.ts'
import { jsonSchemaJudge } from './json-schema.ts'
import { rulesJudge } from './rules.ts'
import { shaclJudge } from './shacl.ts'
import { xsdJudge } from './xsd.ts'

/** The judges of EPCIS documents. */
export const judges: readonly Judge[] = [jsonSchemaJudge, shaclJudge, xsdJudge, rulesJudge]
