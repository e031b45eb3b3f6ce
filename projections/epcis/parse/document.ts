import { type Finding, isObject, type Members, pathTo } from '../../../engine/index.ts'
import { anything, matching, object, oneOf, text, times, uri } from './check.ts'
import { contextOf, type Declared, type Names, noNames } from './context.ts'
import { both, found, good, ifStrict, verdictOn, wrongType } from './findings.ts'
import { header, vocabularies } from './header.ts'
import { type Check, scopeOf } from './scope.ts'
import { eventTypes } from './shapes.ts'

/** How a document is read. */
export interface Mode {
  /** Whether also what only this reader minds is refused. */
  readonly strict: boolean
  /** Whether the document was XML; what the XML Schema minds has then been found before. */
  readonly xml: boolean
}

/** JSON, as the official judges have it. */
export const jsonMode: Mode = { strict: false, xml: false }

/** The parts of a document: its events with their names, or the findings for the document as a whole. */
export interface Envelope {
  /** The path of the list of events; empty for a single event. */
  readonly listPath: string
  readonly events: readonly unknown[]
  readonly names: Names
  readonly mode: Mode
  /** Why the document is refused. */
  readonly findings: readonly Finding[]
  /** What is unusual around the events. */
  readonly remarks: readonly Finding[]
  /** Members around the events that are not used. */
  readonly left: readonly string[]
}

const array: Check = (value) => (Array.isArray(value) ? good : wrongType('array', value))

const listed = (vocabularyList: Check) =>
  object({ members: { eventList: array, vocabularyList }, required: ['eventList'], open: 'terms' })

const queryBody = object({
  members: {
    queryResults: object({
      members: { queryName: text, subscriptionID: text, resultsBody: listed(vocabularies) },
      required: ['queryName', 'resultsBody'],
      open: 'terms',
    }),
  },
  required: ['queryResults'],
  open: 'terms',
})

const number = matching(/^\d+(?:\.\d+)*$/, 'bad_pattern', { expected: '2.0' })
const known = oneOf('2.0', '2.0.0', '2.0.1')
const version: Check = (value, scope) => {
  const findings = number(value, scope)
  return findings === good ? ifStrict(known(value, scope)) : findings
}

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

/** Splits a document. `known` are the names of an XML document, whose namespaces replace a `@context`. */
export function takeApart(document: unknown, mode: Mode = jsonMode, known?: Names): Envelope {
  const type = isObject(document) ? document.type : undefined
  if (!isObject(document) || typeof type !== 'string') return nothing(found('not_epcis'), mode)
  if (type === 'EPCISDocument') {
    const list = 'epcisBody.eventList'
    return enveloped(document, { check: capture, list, mode, known, bodyOf: ({ epcisBody }) => epcisBody })
  }
  if (type === 'EPCISMasterDataDocument') return nothing(found('no_events'), mode)
  if (type === 'EPCISQueryDocument') {
    const list = 'epcisBody.queryResults.resultsBody.eventList'
    const bodyOf = ({ epcisBody }: Members) => at(at(epcisBody, 'queryResults'), 'resultsBody')
    return enveloped(document, { check: query, list, mode, known, bodyOf })
  }
  if (!eventTypes.includes(type) && !(type.includes(':') && Object.hasOwn(document, 'eventTime'))) {
    return nothing(found('not_epcis'), mode)
  }
  return alone(document, mode, known)
}

function nothing(findings: readonly Finding[], mode: Mode): Envelope {
  return { listPath: '', events: [], names: noNames, mode, findings, remarks: [], left: [] }
}

function at(value: unknown, member: string): unknown {
  return isObject(value) ? value[member] : undefined
}

/** How a kind of document is taken apart. */
interface Kind {
  readonly check: Check
  /** The path of its list of events. */
  readonly list: string
  readonly mode: Mode
  readonly known: Names | undefined
  readonly bodyOf: (document: Members) => unknown
}

function enveloped(document: Members, { check, list, mode, known, bodyOf }: Kind): Envelope {
  const { findings, ...names } = declaredIn(document, known)
  const all = both(findings, check(document, scopeOf(names, mode)))
  const { refusing, remarks } = verdictOn(all, mode.strict, !mode.xml)
  if (refusing.length > 0) return nothing(refusing, mode)
  const body = bodyOf(document)
  const events = at(body, 'eventList')
  if (!Array.isArray(events) || (events.length === 0 && hasMasterData(document, body)))
    return nothing(found('no_events'), mode)
  const left = Object.keys(document).filter((name) => !readMembers.has(name) && !name.startsWith('otep:'))
  return { listPath: list, events, names, mode, findings: [], remarks, left }
}

/** Whether there is something beside the events that is only kept with one. */
function hasMasterData({ epcisHeader, epcisBody }: Members, body: unknown): boolean {
  const places = [at(epcisHeader, 'epcisMasterData'), at(epcisBody, 'vocabularyList'), at(body, 'vocabularyList')]
  return places.some((place) => place !== undefined)
}

/** A single event, which has its own context. */
function alone(event: Members, mode: Mode, known: Names | undefined): Envelope {
  if (known === undefined && !Object.hasOwn(event, '@context')) {
    return nothing(found('required', { field: '@context' }, '@context'), mode)
  }
  const { findings, ...names } = declaredIn(event, known)
  const { refusing, remarks } = verdictOn(findings, mode.strict)
  if (refusing.length > 0) return nothing(refusing, mode)
  return { listPath: '', events: [event], names, mode, findings: [], remarks, left: [] }
}

function declaredIn(document: Members, known: Names | undefined): Declared {
  if (known === undefined && Object.hasOwn(document, '@context')) return contextOf(document['@context'], noNames)
  return { ...(known ?? noNames), findings: good }
}

/** The path of an event in a document. */
export function eventPath({ listPath }: Pick<Envelope, 'listPath'>, index: number): string {
  return listPath === '' ? '' : pathTo(listPath, index)
}
