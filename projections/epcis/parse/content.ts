import { isObject, type Members } from '../../../engine/index.ts'
import { both, type Findings, found, good, ifStrict } from './findings.ts'

/** The most objects that one event may name. */
const maxObjects = 10_000

type Rule = (event: Members) => Findings

const isFilled = (value: unknown) => Array.isArray(value) && value.length > 0

function missing(...names: readonly string[]): Findings {
  return found('required', { field: names.join(', ') }, names[0])
}

function size(name: string, list: unknown): Findings {
  const isLong = Array.isArray(list) && list.length > maxObjects
  return isLong ? [{ path: name, code: 'too_long', params: { limit: maxObjects }, level: 'always' }] : good
}

const objectRule: Rule = ({ action, epcList, quantityList, ilmd, sensorElementList, readPoint }) => {
  const isNamed = Array.isArray(epcList) || isFilled(quantityList)
  const isAbout = isNamed || (isFilled(sensorElementList) && readPoint !== undefined)
  const about = isAbout ? good : missing('epcList', 'quantityList')
  const isPlaced = ilmd === undefined || action === 'ADD'
  const placed = isPlaced ? good : found('allowed_only_with', { field: 'ilmd', expected: 'action ADD' }, 'ilmd')
  return both(both(about, placed), size('epcList', epcList))
}

const associationRule: Rule = ({ action, childEPCs, childQuantityList }) => {
  const isAbout = action === 'DELETE' || isFilled(childEPCs) || isFilled(childQuantityList)
  return both(isAbout ? good : missing('childEPCs', 'childQuantityList'), size('childEPCs', childEPCs))
}

const aggregationRule: Rule = (event) => {
  const isWhole = event.action === 'OBSERVE' || event.parentID !== undefined
  return both(associationRule(event), isWhole ? good : ifStrict(missing('parentID')))
}

const transactionRule: Rule = ({ action, epcList, quantityList, bizTransactionList }) => {
  const isAbout = action === 'DELETE' || Array.isArray(epcList) || isFilled(quantityList)
  const about = isAbout ? good : missing('epcList', 'quantityList')
  return both(
    both(isFilled(bizTransactionList) ? good : missing('bizTransactionList'), about),
    size('epcList', epcList),
  )
}

const transformationRule: Rule = (event) => {
  const { inputEPCList, inputQuantityList, outputEPCList, outputQuantityList, transformationID } = event
  const hasInput = isFilled(inputEPCList) || isFilled(inputQuantityList)
  const hasOutput = isFilled(outputEPCList) || isFilled(outputQuantityList)
  const isAbout = transformationID === undefined ? hasInput && hasOutput : hasInput || hasOutput
  const side = hasInput
    ? (['outputEPCList', 'outputQuantityList'] as const)
    : (['inputEPCList', 'inputQuantityList'] as const)
  return both(
    isAbout ? good : missing(...side),
    both(size('inputEPCList', inputEPCList), size('outputEPCList', outputEPCList)),
  )
}

/** The required content of each event type (EPCIS 2.0, sections 7.4.2 to 7.4.6), and the rules between its members. */
const rules: Readonly<Record<string, Rule>> = {
  ObjectEvent: objectRule,
  AggregationEvent: aggregationRule,
  AssociationEvent: associationRule,
  TransactionEvent: transactionRule,
  TransformationEvent: transformationRule,
}

/** The check of the rules between the members of an event of this type. */
export function contentOf(type: string): Rule {
  const rule = rules[type]
  return (event) => both(rule?.(event) ?? good, correctionsOf(event))
}

function correctionsOf({ eventID, errorDeclaration: declared }: Members): Findings {
  if (!isObject(declared) || !Array.isArray(declared.correctiveEventIDs) || eventID === undefined) return good
  const index = declared.correctiveEventIDs.indexOf(eventID)
  if (index === -1) return good
  return ifStrict(found('corrects_itself', undefined, `errorDeclaration.correctiveEventIDs[${index}]`))
}
