import { excerptOf, type Finding, isObject, type Members, pathTo, type Target } from '../../../engine/index.ts'
import { profilesOf } from '../../shared/profile.ts'
import { rowFor } from '../codes.ts'
import { tellsContents } from './aggregation.ts'
import { readsAllSensors } from './sensors.ts'

/** Members that OTEP has no counterpart for. */
const unplaced: ReadonlySet<string> = new Set([
  ...['sensorElementList', 'certificationInfo', 'ilmd', 'persistentDisposition', 'sourceList', 'destinationList'],
  'transformationID',
])

/** Event types that relate things to each other; OTEP keeps only the events of each thing, and what an aggregation says. */
const relating: ReadonlySet<unknown> = new Set([
  ...['AggregationEvent', 'AssociationEvent', 'TransactionEvent', 'TransformationEvent'],
])

/** Lists of quantities of a class of things. */
const amounts: ReadonlySet<string> = new Set([
  ...['quantityList', 'childQuantityList', 'inputQuantityList', 'outputQuantityList'],
])

/** All members of EPCIS that may have to be reported. */
const named: ReadonlySet<string> = new Set(['type', ...unplaced, ...amounts])

/**
 * The parts of an event that are not used, each with its path; every omission is reported. In an event of this server,
 * names of its own members begin with `own`.
 */
export function leftOf(event: Members, path: string, own?: string): readonly Finding[] {
  const left: Finding[] = []
  for (const name in event) {
    if (named.has(name)) left.push(...leftIn(event, name, path, own))
  }
  addExtensions(event, path, own, left)
  for (const name of ['readPoint', 'bizLocation', 'errorDeclaration']) {
    const inner = event[name]
    if (isObject(inner)) addExtensions(inner, pathTo(path, name), own, left)
  }
  const { errorDeclaration: declared } = event
  if (isObject(declared) && declared.correctiveEventIDs !== undefined) {
    left.push(notTaken(`${pathTo(path, 'errorDeclaration')}.correctiveEventIDs`, 'correctiveEventIDs'))
  }
  return left
}

function leftIn(event: Members, name: string, path: string, own: string | undefined): readonly Finding[] {
  const value = event[name]
  if (amounts.has(name)) return Array.isArray(value) ? classes(value, pathTo(path, name)) : []
  const isRelation = relating.has(value) && !tellsContents(event)
  if (name === 'sensorElementList' && readsAllSensors(event)) return []
  const isLeft = name === 'type' ? isRelation : !(own !== undefined && name === 'destinationList' && isReadPoint(event))
  return isLeft ? [notTaken(pathTo(path, name), name)] : []
}

function addExtensions(members: Members, path: string, own: string | undefined, left: Finding[]): void {
  for (const name in members) {
    if (own !== undefined && name.startsWith(own)) continue
    if (name.includes(':')) left.push(notTaken(pathTo(path, excerptOf(name)), name))
  }
}

function notTaken(path: string, field: string): Finding {
  return { path, code: 'not_taken', params: { field: excerptOf(field) } }
}

/** Whether the destination only repeats the place of observation, as in documents of this server. */
function isReadPoint({ destinationList: list, readPoint }: Members): boolean {
  const [only, ...others] = Array.isArray(list) ? list : []
  if (!isObject(only) || !isObject(readPoint) || others.length > 0) return false
  return only.type === 'location' && only.destination === readPoint.id
}

/** Reports an action that is not kept: that of a relation, if it is not what this server writes for the code. */
export function actionLeft(event: Members, path: string, code: string, target: Target): readonly Finding[] {
  const { type, action } = event
  if (action === undefined || type === 'ObjectEvent' || tellsContents(event)) return []
  if (action === rowFor(profilesOf(target)[0], code).action) return []
  return [{ path: pathTo(path, 'action'), code: 'not_taken', params: { field: 'action' } }]
}

function classes(list: readonly unknown[], path: string): readonly Finding[] {
  return list.map((element, index) => classFinding(isObject(element) ? element.epcClass : '', pathTo(path, index)))
}

/** The remark that something names a class of things. */
export function classFinding(uri: unknown, path: string): Finding {
  return { path, code: 'class_level', params: { received: excerptOf(String(uri)) } }
}
