import { list, object, reference } from './check.ts'
import { good, wrongType } from './findings.ts'
import type { Check } from './scope.ts'

const value: Check = (input) => {
  const isFit = typeof input === 'string' || typeof input === 'number' || (typeof input === 'object' && input !== null)
  return isFit && !Array.isArray(input) ? good : wrongType('string, number, object', input)
}

const attribute = object({ members: { id: reference, attribute: value }, required: ['id'], open: 'all' })

const element = object({
  members: { id: reference, attributes: list(attribute), children: list(reference) },
  required: ['id'],
  open: 'all',
})

const vocabulary = object({
  members: { type: reference, vocabularyElementList: list(element) },
  required: ['type'],
  open: 'all',
})

/** Master data by vocabulary (EPCIS 2.0, section 9.3), which is not used. */
export const vocabularies: Check = list(vocabulary)

/** The header of a document, including master data. */
export const header: Check = object({
  members: { epcisMasterData: object({ members: { vocabularyList: vocabularies }, open: 'all' }) },
  open: 'extensions',
})
