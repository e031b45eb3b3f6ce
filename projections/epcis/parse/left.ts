import { type Finding, isObject, type Members, pathTo, shown } from '../../../engine/index.ts'
import { otepNamespace, otepPrefix } from '../extension.ts'

/** Members for which OTEP has no place. */
const unplaced: ReadonlySet<string> = new Set([
  ...['sensorElementList', 'certificationInfo', 'ilmd', 'persistentDisposition', 'sourceList', 'destinationList'],
  'transformationID',
])

/** Lists of amounts of a class of things. */
const amounts: ReadonlySet<string> = new Set([
  ...['quantityList', 'childQuantityList', 'inputQuantityList', 'outputQuantityList'],
])

/** So many things of one kind are named one by one. */
const maxNamed = 20

/** What is not taken of an event, each at its place; nothing is left out without a word. */
export function leftOf(
  event: Members,
  path: string,
  prefixes: ReadonlyMap<string, string>,
  own: boolean,
): readonly Finding[] {
  const ours = prefixes.get('otep') === otepNamespace
  const left: Finding[] = []
  const leave = (at: string, field: string) =>
    left.push({ path: at, code: 'not_taken', params: { field: shown(field) } })
  const extensions = (members: unknown, at: string) => {
    for (const name of isObject(members) ? Object.keys(members) : []) {
      if (name.includes(':') && !(own && ours && name.startsWith(otepPrefix))) leave(pathTo(at, shown(name)), name)
    }
  }
  for (const [name, value] of Object.entries(event)) {
    if (unplaced.has(name)) leave(pathTo(path, name), name)
    if (amounts.has(name) && Array.isArray(value)) left.push(...classes(value, pathTo(path, name)))
  }
  extensions(event, path)
  for (const name of ['readPoint', 'bizLocation', 'errorDeclaration']) extensions(event[name], pathTo(path, name))
  const { errorDeclaration: declared } = event
  if (isObject(declared) && declared.correctiveEventIDs !== undefined) {
    leave(`${pathTo(path, 'errorDeclaration')}.correctiveEventIDs`, 'correctiveEventIDs')
  }
  return left
}

function classes(list: readonly unknown[], path: string): readonly Finding[] {
  return list
    .slice(0, maxNamed)
    .map((element, index) => classFinding(isObject(element) ? element.epcClass : '', pathTo(path, index)))
}

/** That something names a class of things. */
export function classFinding(uri: unknown, path: string): Finding {
  return { path, code: 'class_level', params: { received: shown(String(uri)) } }
}
