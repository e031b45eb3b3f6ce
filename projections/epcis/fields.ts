import { EngineError, instantOf, instantProblem, isObject, type Members } from '../../engine/index.ts'

type Prefixes = ReadonlyMap<string, string>

/** The parts of an event that may have extensions, as the names of parameters begin. */
const areas: Readonly<Record<string, (event: Members) => readonly Members[]>> = {
  '': (event) => [event],
  ILMD_: ({ ilmd }) => objectsIn(ilmd),
  ERROR_DECLARATION_: ({ errorDeclaration }) => objectsIn(errorDeclaration),
  readPoint_: ({ readPoint }) => objectsIn(readPoint),
  bizLocation_: ({ bizLocation }) => objectsIn(bizLocation),
  SENSORELEMENT_: ({ sensorElementList }) => objectsIn(sensorElementList),
  SENSORMETADATA_: ({ sensorElementList }) =>
    objectsIn(sensorElementList).flatMap(({ sensorMetadata }) => objectsIn(sensorMetadata)),
  SENSORREPORT_: ({ sensorElementList }) =>
    objectsIn(sensorElementList).flatMap(({ sensorReport }) => objectsIn(sensorReport)),
}

/** The parts of an event that may stand before the name of a field. */
export const fieldParts = Object.keys(areas).filter((area) => area !== '')

const parameter = new RegExp(`^(EQ|GT|GE|LT|LE|EXISTS)_(INNER_)?(${fieldParts.join('|')})?(.*[:#].*)$`)

type Compare = (one: number, other: number) => boolean

const orders: Readonly<Record<string, Compare>> = {
  GT: (one, other) => one > other,
  GE: (one, other) => one >= other,
  LT: (one, other) => one < other,
  LE: (one, other) => one <= other,
}

/** Whether an event has a field of an extension. */
export type FieldTest = (event: Members, prefixes: Prefixes) => boolean

/**
 * Reads a parameter that asks for a field of an extension, by its namespace and name or by a prefix of the query;
 * undefined if the name is not of this form.
 */
export function fieldTest(name: string, value: string, known: Prefixes): FieldTest | undefined {
  const [, operator = '', inner, area = '', field = ''] = parameter.exec(name) ?? []
  if (operator === '') return undefined
  const prefix = /^([^:/#]*):(?!\/\/)[^:#]*$/.exec(field)?.[1]
  if (prefix !== undefined && !known.has(prefix))
    throw refused(name, `the prefix ${prefix} is not declared: use its namespace, as in EQ_https://ns.example/#name`)
  const wanted = fullName(field, known)
  const isWanted = valueTest(name, operator, value)
  return (event, prefixes) =>
    (areas[area]?.(event) ?? []).some((part) => {
      const values = inner ? extensionsIn(part).flatMap(([, one]) => fieldsBelow(one)) : extensionsIn(part)
      return values.some(([key, one]) => fullName(key, prefixes) === wanted && isWanted(one))
    })
}

/** Reads the value that a field is compared with. */
function valueTest(name: string, operator: string, value: string): (field: unknown) => boolean {
  if (operator === 'EXISTS') {
    if (value !== 'true') throw refused(name, 'true')
    return () => true
  }
  const compare = orders[operator]
  if (compare === undefined) {
    const values = new Set(value.split('|'))
    return (field) => textsIn(field).some((one) => values.has(one))
  }
  const bound = measureOf(value)
  if (bound === undefined) throw refused(name, 'a number, or a date-time with an offset')
  return (field) =>
    textsIn(field).some((one) => {
      const measure = measureOf(one)
      return measure?.kind === bound.kind && compare(measure.at, bound.at)
    })
}

function refused(parameter: string, reason: string): EngineError {
  return new EngineError('query_parameter_refused', { parameter, reason })
}

/** A number, or the epoch milliseconds of a time; a plus sign that was not encoded arrives as a space. */
function measureOf(text: string): { readonly kind: 'number' | 'time'; readonly at: number } | undefined {
  if (text.trim() !== '' && Number.isFinite(Number(text))) return { kind: 'number', at: Number(text) }
  const time = text.replace(/ (?=\d\d:\d\d$)/, '+')
  return instantProblem(time) === undefined ? { kind: 'time', at: instantOf(time) } : undefined
}

/** The members that EPCIS does not define: their names have a prefix or are whole. */
function extensionsIn(part: Members): readonly (readonly [string, unknown])[] {
  return Object.entries(part).filter(([name]) => name.includes(':'))
}

function fieldsBelow(value: unknown): readonly (readonly [string, unknown])[] {
  return objectsIn(value).flatMap((one) =>
    Object.entries(one).flatMap((field) => [field, ...fieldsBelow(field[1])] as const),
  )
}

/** The texts of a field, also of one with a type or a language (JSON-LD 1.1). */
function textsIn(value: unknown): readonly string[] {
  return [value].flat().flatMap((one) => {
    const plain = isObject(one) ? (one['@value'] ?? one['@id'] ?? one.id) : one
    return typeof plain === 'string' || typeof plain === 'number' || typeof plain === 'boolean' ? [String(plain)] : []
  })
}

/** Namespace and name, however they are joined: XML does not join them, and JSON-LD does without a separator. */
function fullName(name: string, prefixes: Prefixes): string {
  const hash = name.lastIndexOf('#')
  if (hash !== -1) return joined(name.slice(0, hash), name.slice(hash + 1))
  const colon = name.indexOf(':')
  const namespace = prefixes.get(colon === -1 ? name : name.slice(0, colon))
  if (namespace !== undefined && colon !== -1) return joined(namespace, name.slice(colon + 1))
  const whole = namespace ?? name
  const end = Math.max(whole.lastIndexOf('/'), whole.lastIndexOf(':'), whole.lastIndexOf('#'))
  return joined(whole.slice(0, end + 1), whole.slice(end + 1))
}

function joined(namespace: string, name: string): string {
  return `${namespace.replace(/[/#:]$/, '')}#${name}`
}

function objectsIn(value: unknown): readonly Members[] {
  return [value].flat().filter(isObject)
}
