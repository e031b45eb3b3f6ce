import {
  deriveId,
  excerptOf,
  type Finding,
  identifierKinds,
  instantProblem,
  type Location,
  type Profile,
  profileNamed,
  type Reading,
  type Target,
} from '../../../engine/index.ts'
import { profiles as builtIn } from '../../../profiles/index.ts'
import { meaningOf } from '../../shared/codes.ts'
import { placeText } from '../../shared/place.ts'
import { subjectOf } from '../../shared/subject.ts'
import { onerecordPath } from '../names.ts'
import { backOf, ownCodeIn } from './back.ts'
import { type Node, type Nodes, nodesIn, type Value } from './nodes.ts'

const cargo = (name: string) => `https://onerecord.iata.org/ns/cargo#${name}`

/** What a document is read for: the object and the profile of an address that it was sent to; any if absent. */
export interface SentTo {
  readonly uri: string
  readonly subject: object
  readonly profile: string
}

/** The classes of events; the second is of data model 3.3. */
const eventTypes = [cargo('LogisticsEvent'), cargo('StatusUpdateEvent')]

/** The logistics events of a document, one reading for each object that an event is for. */
export function parseOneRecord(document: unknown, target: Target, sentTo?: SentTo): readonly Reading[] {
  const nodes = nodesIn(document)
  if (nodes.findings.length > 0) return [{ path: '', findings: nodes.findings }]
  const events = [...nodes.byId.values()].filter(({ types }) => types.some((type) => eventTypes.includes(type)))
  if (events.length === 0) return [{ path: '' }]
  const { profiles = builtIn } = target
  const named = events
    .map((event) => ownCodeIn(idOf(event, 'eventCode') ?? '')?.profile)
    .find((one) => one !== undefined)
  const profile = profileNamed(profiles, sentTo?.profile ?? named)
  return events.flatMap((event) => readingsOf(event, { nodes, target, profile, sentTo }))
}

interface Reader {
  readonly nodes: Nodes
  readonly target: Target
  readonly profile: Profile
  readonly sentTo: SentTo | undefined
}

/** The member that each native member comes from. */
const places = { occurred_at: 'cargo:eventDate', status_code: 'cargo:eventCode', description: 'cargo:eventName' }

function readingsOf(node: Node, reader: Reader): readonly Reading[] {
  const { path } = node
  const findings = findingsOf(node)
  const objects = valuesOf(node, 'eventFor')
  if (reader.sentTo !== undefined) {
    const { uri, subject } = reader.sentTo
    const isOther = objects.length > 0 && !objects.some(({ id = '' }) => tailOf(id) === tailOf(uri))
    if (isOther)
      findings.push(foundAt(objects[0], 'unknown_value', { received: excerptOf(objects[0]?.id ?? ''), expected: uri }))
    return [readingOf(node, subject, findings, reader)]
  }
  if (objects.length === 0)
    findings.push({ path: `${path}.cargo:eventFor`, code: 'required', params: { field: 'cargo:eventFor' } })
  return (objects.length === 0 ? [undefined] : objects).map((object) =>
    readingOf(node, object?.id === undefined ? undefined : subjectAt(object.id, reader), findings, reader),
  )
}

function readingOf(node: Node, subject: object | undefined, findings: readonly Finding[], reader: Reader): Reading {
  const { path } = node
  if (findings.length > 0) return { path, findings, ...(subject !== undefined && { subject }) }
  const { profile, nodes } = reader
  const warnings: Finding[] = []
  const code = idOf(node, 'eventCode')
  const back =
    code === undefined
      ? ({ code: 'x-observed', how: 'own' } as const)
      : backOf(code, profile, textOf(node, 'eventName'))
  if (back.how !== 'exact') {
    const received = excerptOf(code ?? textOf(node, 'eventName') ?? '')
    const finding = back.how === 'own' ? 'code_missing' : 'code_decided'
    warnings.push({ path: `${path}.cargo:eventCode`, code: finding, params: { received, decided: back.code } })
  }
  if (flagOf(node, 'partialEventIndicator'))
    warnings.push({
      path: `${path}.cargo:partialEventIndicator`,
      code: 'not_taken',
      params: { field: 'cargo:partialEventIndicator' },
    })
  const name = namedIn(textOf(node, 'eventName'), meaningOf(profile, back.code), isOwnUri(node.id))
  const reason = name.incident_reason ?? ('reason' in back ? back.reason : undefined)
  const location = locationIn(nodes, idOf(node, 'eventLocation'))
  const pod = proofIn(nodes, node)
  const id = eventIdOf(node.id)
  return {
    ...{ path, places, profile: profile.name },
    ...(subject !== undefined && { subject }),
    event: {
      ...(id !== undefined && { event_id: id }),
      ...{ occurred_at: textOf(node, 'eventDate'), status_code: back.code },
      ...(back.how !== 'exact' &&
        code !== undefined && { source: { type: 'carrier_tracking', code: sourceCodeOf(code) } }),
      ...(name.description !== undefined && { description: name.description }),
      ...(reason !== undefined && { incident_reason: reason }),
      ...(location !== undefined && { location }),
      ...(pod !== undefined && { pod }),
    },
    ...(warnings.length > 0 && { warnings }),
  }
}

/** The code in its own list, or the end of its IRI if that is long. */
function sourceCodeOf(iri: string): string {
  return iri
    .slice(iri.indexOf('#') + 1)
    .replace(/\s+/g, ' ')
    .slice(-100)
}

function findingsOf(node: Node): Finding[] {
  const { path } = node
  const [date] = valuesOf(node, 'eventDate')
  const [type] = valuesOf(node, 'eventTimeType')
  const findings: Finding[] = []
  const field = 'cargo:eventDate'
  const problem = typeof date?.literal === 'string' ? instantProblem(date.literal) : 'required'
  if (problem !== undefined) findings.push({ path: date?.path ?? `${path}.${field}`, code: problem, params: { field } })
  const named = type?.id ?? type?.literal
  if (type !== undefined && named !== cargo('ACTUAL'))
    findings.push(foundAt(type, 'unknown_value', { received: excerptOf(String(named)), expected: 'cargo:ACTUAL' }))
  if (valuesOf(node, 'eventCode').some(({ id }) => id === undefined))
    findings.push({
      path: `${path}.cargo:eventCode`,
      code: 'wrong_type',
      params: { expected: 'IRI', received: 'text' },
    })
  if (idOf(node, 'eventCode') === undefined && textOf(node, 'eventName') === undefined && findings.length === 0)
    findings.push({ path: `${path}.cargo:eventCode`, code: 'required', params: { field: 'cargo:eventCode' } })
  return findings
}

function foundAt(
  value: Value | undefined,
  code: 'unknown_value',
  params: { received: string; expected: string },
): Finding {
  return { path: value?.path ?? '', code, params }
}

/** Whether the URI of an event is one of a server of this project. */
function isOwnUri(uri: string): boolean {
  return ownEvent.test(uri)
}

const ownEvent = /\/onerecord\/logistics-objects\/[^/]+\/logistics-events\/([^/?#]+)$/

/** The id that an event was recorded with, if it is one of a server of this project; otherwise its own IRI. */
function eventIdOf(uri: string): string | undefined {
  if (uri.startsWith('_:')) return undefined
  const [, name] = ownEvent.exec(uri) ?? []
  const own = name === undefined ? undefined : decodedText(name.slice(name.indexOf(':') + 1))
  const id = own ?? uri
  return id.length <= 200 ? id : deriveId(uri)
}

/** The description of an event and the reason of an incident. */
interface Named {
  readonly description?: string
  readonly incident_reason?: string
}

/**
 * What the name of an event says. Documents of this server have the meaning of the code in place of a missing description, and
 * the reason in brackets at the end; in others, only a reason after the meaning itself is one.
 */
function namedIn(name: string | undefined, meaning: string | undefined, isOwn: boolean): Named {
  if (name === undefined) return {}
  const [, text = name, reason] = /^(.*) \(([^()]{1,100})\)$/s.exec(name) ?? []
  const isReason = reason !== undefined && (text === meaning || (isOwn && /^[a-z][a-z\d_-]*$/.test(reason)))
  const rest = isReason ? text : name
  return {
    ...(rest !== meaning && { description: rest.slice(0, 2_000) }),
    ...(isReason && { incident_reason: reason }),
  }
}

/** The subject of the object with a URI: its identifiers if the document has them, else what the URI says. */
function subjectAt(uri: string, { nodes, target }: Reader): object {
  const node = nodes.byId.get(uri)
  const upid = node && textOf(node, 'upid')
  const others = (node ? valuesOf(node, 'otherIdentifiers') : []).flatMap(({ id = '' }) => {
    const other = nodes.byId.get(id)
    const kind = identifierKinds.find((one) => other !== undefined && one === textOf(other, 'otherIdentifierType'))
    const value = other && textOf(other, 'textualValue')
    return kind === undefined || value === undefined ? [] : [subjectOf({ kind, value }) ?? {}]
  })
  const described = Object.assign({}, ...others, upid === undefined ? {} : { piece_id: upid }) as object
  if (Object.keys(described).length > 0) return described
  const prefix = `${target.baseUrl}${onerecordPath}/logistics-objects/`
  const [, kind, value = ''] =
    /^(\w+):(.+?)(?:#\d+)?$/.exec(uri.startsWith(prefix) ? (decodedText(tailOf(uri)) ?? '') : '') ?? []
  const known = identifierKinds.find((one) => one === kind)
  return (known && subjectOf({ kind: known, value })) ?? { piece_id: uri }
}

function locationIn({ byId }: Nodes, id: string | undefined): Location | undefined {
  const node = id === undefined ? undefined : byId.get(id)
  if (node === undefined) return undefined
  const at = (name: string) => byId.get(idOf(node, name) ?? '')
  const [address, point] = [at('address'), at('geolocation')]
  const codes = valuesOf(node, 'locationCodes').flatMap(({ id: iri }) => iri ?? [])
  const code = (pattern: RegExp) => codes.map((iri) => pattern.exec(iri)?.[1]).find((one) => one !== undefined)
  const text = (of: Node | undefined, name: string) => (of === undefined ? undefined : textOf(of, name))
  const known = present({
    street: text(address, 'streetAddressLines'),
    locality: text(address, 'cityName'),
    postal_code: text(address, 'textualPostCode'),
    country: address && /#([A-Z]{2})$/.exec(idOf(address, 'country') ?? '')?.[1],
  })
  const location = present({
    ...(known !== undefined && { address: known }),
    unlocode: code(/^https:\/\/vocabulary\.uncefact\.org\/unlocode#([A-Z]{2}[A-Z2-9]{3})$/),
    gln: code(/^https:\/\/id\.gs1\.org\/414\/(\d{13})$/),
    latitude: numberOf(point, 'latitude'),
    longitude: numberOf(point, 'longitude'),
  }) as Location | undefined
  const name = textOf(node, 'locationName')
  // A place without a name is written with its address as name.
  const isAddress = known !== undefined && name === placeText({ address: known })
  return name === undefined || isAddress ? location : { ...location, name }
}

/** The members that are there; undefined if there are none. */
function present<Members extends object>(members: Members): object | undefined {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** The proof of delivery: pictures that an event refers to, and who has signed. */
function proofIn({ byId }: Nodes, node: Node): object | undefined {
  const documents = valuesOf(node, 'externalReferences').flatMap(({ id = '' }) => byId.get(id) ?? [])
  const linksOf = (type: string) =>
    documents.flatMap((one) => (textOf(one, 'documentType') === type ? (textOf(one, 'documentLink') ?? []) : []))
  const [signature] = linksOf('signature')
  const photos = linksOf('photo')
  const recipients = valuesOf(node, 'involvedParties')
    .flatMap(({ id = '' }) => byId.get(id) ?? [])
    .flatMap((party) => valuesOf(party, 'otherIdentifiers').flatMap(({ id = '' }) => byId.get(id) ?? []))
    .filter((one) => textOf(one, 'otherIdentifierType') === 'pod_recipient')
  return present({
    recipient: recipients[0] && textOf(recipients[0], 'textualValue'),
    signature_url: signature,
    photo_urls: photos.length === 0 ? undefined : photos,
  })
}

/** The most values of a member that are read; events may be for any number of objects. */
const maxValues = 100

function valuesOf({ values }: Node, name: string): readonly Value[] {
  return (values.get(cargo(name)) ?? []).slice(0, name === 'eventFor' ? undefined : maxValues)
}

function idOf(node: Node, name: string): string | undefined {
  return valuesOf(node, name)[0]?.id
}

function textOf(node: Node, name: string): string | undefined {
  const [first] = valuesOf(node, name)
  return typeof first?.literal === 'string' && first.literal !== '' ? first.literal : undefined
}

function flagOf(node: Node, name: string): boolean {
  return valuesOf(node, name).some(({ literal }) => literal === true || literal === 'true')
}

function numberOf(node: Node | undefined, name: string): number | undefined {
  const literal = node && valuesOf(node, name)[0]?.literal
  const number = literal === undefined || literal === '' ? Number.NaN : Number(literal)
  return Number.isFinite(number) ? number : undefined
}

function tailOf(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1)
}

function decodedText(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
