import { type Finding, isObject, type Members, pathTo } from '../../../engine/index.ts'
import { type Check, found, matching, object, oneOf, type Scope, text, time, uri } from './check.ts'
import { contextOf } from './context.ts'
import { eventTypes } from './shapes.ts'

/** A document taken apart: its events and the prefixes that hold for them, or what is wrong with it as a whole. */
export interface Envelope {
  /** Where the events stand; empty for an event by itself. */
  readonly listPath: string
  readonly events: readonly unknown[]
  readonly prefixes: ReadonlyMap<string, string>
  readonly findings: readonly Finding[]
  /** Members around the events of which nothing is taken. */
  readonly left: readonly string[]
}

const anything: Check = () => {}

const listed = object({
  members: { eventList: arrays(), vocabularyList: anything },
  required: ['eventList'],
  open: true,
})

const queryBody = object({
  members: {
    queryResults: object({
      members: { queryName: text, subscriptionID: text, resultsBody: listed },
      required: ['queryName', 'resultsBody'],
      open: true,
    }),
  },
  required: ['queryResults'],
  open: true,
})

function arrays(): Check {
  return (value, path, scope) => {
    if (!Array.isArray(value)) {
      found(scope, path, 'wrong_type', { expected: 'array', received: value === null ? 'null' : typeof value })
    }
  }
}

const versions: Check = (value, path, scope) => {
  matching(/^\d+(?:\.\d+)*$/, 'bad_pattern', { expected: '2.0' })(value, path, scope)
  if (typeof value === 'string' && /^\d/.test(value)) oneOf('2.0', '2.0.0', '2.0.1')(value, path, scope)
}

const around = { '@context': anything, type: text, id: uri, schemaVersion: versions, creationDate: time }

/** What stands around the events of a document (EPCIS 2.0, section 9.3). */
const capture = object({
  members: {
    ...around,
    ...{
      instanceIdentifier: text,
      sender: text,
      receiver: text,
      epcisHeader: object({ members: { epcisMasterData: anything }, open: true }),
    },
    epcisBody: listed,
  },
  required: ['@context', 'schemaVersion', 'creationDate', 'epcisBody'],
  open: true,
})

const query = object({
  members: { ...around, epcisBody: queryBody },
  required: ['@context', 'epcisBody'],
  open: true,
})

/** Members that only say what the document is. */
const taken = new Set([...Object.keys(around), 'epcisBody'])

/** Takes a document apart; `known` are the prefixes of an XML document, whose namespaces stand for a `@context`. */
export function takeApart(document: unknown, known?: ReadonlyMap<string, string>): Envelope {
  const type = isObject(document) ? document.type : undefined
  if (!isObject(document) || typeof type !== 'string') return nothing([{ path: '', code: 'not_epcis' }])
  if (type === 'EPCISDocument') {
    return enveloped(document, capture, 'epcisBody.eventList', known, ({ epcisBody }) => epcisBody)
  }
  if (type === 'EPCISQueryDocument') {
    const list = 'epcisBody.queryResults.resultsBody.eventList'
    return enveloped(document, query, list, known, ({ epcisBody }) => at(at(epcisBody, 'queryResults'), 'resultsBody'))
  }
  if (!eventTypes.includes(type) && !(type.includes(':') && Object.hasOwn(document, 'eventTime'))) {
    return nothing([{ path: '', code: 'not_epcis' }])
  }
  return alone(document)
}

function nothing(findings: readonly Finding[]): Envelope {
  return { listPath: '', events: [], prefixes: new Map(), findings, left: [] }
}

function at(value: unknown, member: string): unknown {
  return isObject(value) ? value[member] : undefined
}

function enveloped(
  document: Members,
  check: Check,
  listPath: string,
  known: ReadonlyMap<string, string> | undefined,
  bodyOf: (document: Members) => unknown,
): Envelope {
  const { prefixes, findings } = prefixesOf(document, known)
  check(document, '', { prefixes, findings, anyScheme: false })
  if (findings.length > 0) return nothing(findings)
  const events = at(bodyOf(document), 'eventList')
  const left = Object.keys(document).filter((name) => !taken.has(name) && !name.startsWith('otep:'))
  return { listPath, events: Array.isArray(events) ? events : [], prefixes, findings, left }
}

/** An event by itself, which then brings its context along. */
function alone(event: Members): Envelope {
  if (!Object.hasOwn(event, '@context')) {
    return nothing([{ path: '@context', code: 'required', params: { field: '@context' } }])
  }
  const { prefixes, findings } = prefixesOf(event, undefined)
  return findings.length > 0 ? nothing(findings) : { listPath: '', events: [event], prefixes, findings, left: [] }
}

function prefixesOf(document: Members, known: ReadonlyMap<string, string> | undefined) {
  const findings: Finding[] = []
  const scope: Scope = { prefixes: new Map(), findings, anyScheme: false }
  if (known !== undefined) return { prefixes: known, findings }
  const given = Object.hasOwn(document, '@context')
  const prefixes = given ? contextOf(document['@context'], '@context', scope, new Map()) : new Map<string, string>()
  return { prefixes, findings }
}

/** Where an event of an envelope stands. */
export function eventPath({ listPath }: Pick<Envelope, 'listPath'>, index: number): string {
  return listPath === '' ? '' : pathTo(listPath, index)
}
