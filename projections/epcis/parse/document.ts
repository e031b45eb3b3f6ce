import { isObject, type Members, pathTo } from '../../../engine/index.ts'
import {
  anything,
  both,
  type Check,
  type Findings,
  found,
  good,
  matching,
  object,
  oneOf,
  scopeOf,
  text,
  times,
  uri,
  wrongType,
} from './check.ts'
import { contextOf, type Declared } from './context.ts'
import { header, vocabularies } from './header.ts'
import { eventTypes } from './shapes.ts'

/** The parts of a document: its events with their prefixes, or the findings for the document as a whole. */
export interface Envelope {
  /** The path of the list of events; empty for a single event. */
  readonly listPath: string
  readonly events: readonly unknown[]
  readonly prefixes: ReadonlyMap<string, string>
  readonly findings: Findings
  /** Members around the events that are not used. */
  readonly left: readonly string[]
}

const array: Check = (value) => (Array.isArray(value) ? good : wrongType('array', value))

const listed = (vocabularyList: Check) =>
  object({ members: { eventList: array, vocabularyList }, required: ['eventList'], open: 'extensions' })

const queryBody = object({
  members: {
    queryResults: object({
      members: { queryName: text, subscriptionID: text, resultsBody: listed(vocabularies) },
      required: ['queryName', 'resultsBody'],
      open: 'extensions',
    }),
  },
  required: ['queryResults'],
  open: 'extensions',
})

const number = matching(/^\d+(?:\.\d+)*$/, 'bad_pattern', { expected: '2.0' })
const known = oneOf('2.0', '2.0.0', '2.0.1')
const version: Check = (value, scope) =>
  typeof value === 'string' && /^\d/.test(value)
    ? both(number(value, scope), known(value, scope))
    : number(value, scope)

const around = { '@context': anything, type: text, id: uri, schemaVersion: version, ...times('creationDate') }

/** The members around the events of a document (EPCIS 2.0, section 9.3). */
const capture = object({
  members: {
    ...around,
    ...{
      instanceIdentifier: text,
      sender: text,
      receiver: text,
      epcisHeader: header,
    },
    epcisBody: listed(anything),
  },
  required: ['@context', 'schemaVersion', 'creationDate', 'epcisBody'],
  open: 'extensions',
})

const query = object({
  members: { ...around, epcisBody: queryBody },
  required: ['@context', 'epcisBody'],
  open: 'extensions',
})

/** Members that only identify the kind of document. */
const readMembers = new Set([...Object.keys(around), 'epcisBody'])

/** Splits a document. `known` are the prefixes of an XML document, whose namespaces replace a `@context`. */
export function takeApart(document: unknown, known?: ReadonlyMap<string, string>): Envelope {
  const type = isObject(document) ? document.type : undefined
  if (!isObject(document) || typeof type !== 'string') return nothing(found('not_epcis'))
  if (type === 'EPCISDocument') {
    return enveloped(document, capture, 'epcisBody.eventList', known, ({ epcisBody }) => epcisBody)
  }
  if (type === 'EPCISQueryDocument') {
    const list = 'epcisBody.queryResults.resultsBody.eventList'
    return enveloped(document, query, list, known, ({ epcisBody }) => at(at(epcisBody, 'queryResults'), 'resultsBody'))
  }
  if (!eventTypes.includes(type) && !(type.includes(':') && Object.hasOwn(document, 'eventTime'))) {
    return nothing(found('not_epcis'))
  }
  return alone(document)
}

function nothing(findings: Findings): Envelope {
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
  const { prefixes, findings } = declaredIn(document, known)
  const all = both(findings, check(document, scopeOf(prefixes)))
  if (all.length > 0) return nothing(all)
  const events = at(bodyOf(document), 'eventList')
  const left = Object.keys(document).filter((name) => !readMembers.has(name) && !name.startsWith('otep:'))
  return { listPath, events: Array.isArray(events) ? events : [], prefixes, findings, left }
}

/** A single event, which has its own context. */
function alone(event: Members): Envelope {
  if (!Object.hasOwn(event, '@context')) return nothing(found('required', { field: '@context' }, '@context'))
  const { prefixes, findings } = declaredIn(event, undefined)
  return findings.length > 0 ? nothing(findings) : { listPath: '', events: [event], prefixes, findings, left: [] }
}

function declaredIn(document: Members, known: ReadonlyMap<string, string> | undefined): Declared {
  if (known === undefined && Object.hasOwn(document, '@context')) return contextOf(document['@context'], new Map())
  return { prefixes: known ?? new Map(), findings: good }
}

/** The path of an event in a document. */
export function eventPath({ listPath }: Pick<Envelope, 'listPath'>, index: number): string {
  return listPath === '' ? '' : pathTo(listPath, index)
}
