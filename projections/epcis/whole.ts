import { atOnce, isObject, type KeptSource, type Members, mapInSteps } from '../../engine/index.ts'
import { type XmlElement, xmlPieces } from '../shared/xml.ts'
import type { ObjectEvent } from './document.ts'
import { ownPrefixes } from './extension.ts'
import type { documentMembers } from './schema.ts'
import { formOf, inJson, joinedContext, levelsOf, nameOf, quoted, wrappedIn } from './whole-json.ts'
import { inXml } from './whole-xml.ts'
import { objectEvent } from './xml-write.ts'

/** An event of a document: kept as it came, or made of a timeline. */
export type WholeEvent = KeptSource | ObjectEvent

/** The form of a document: the answer to a query, or one to be captured. */
export interface Form {
  readonly as: 'query' | 'capture'
  readonly creationDate: string
  readonly queryName?: string
  readonly subscriptionID?: string
}

const capturedAs = 'EPCISDocument'

function isKept(event: WholeEvent): event is KeptSource {
  return 'binding' in event
}

/** The member in which a document says what its binding cannot carry of events that came in the other one. */
export const lossesName: keyof typeof documentMembers = 'otep:not_carried'

/**
 * A document with these events in JSON. Events that came in JSON are unchanged, unless a name in their context means
 * something else in another event: then the event gets its own context.
 */
export function wholeJson(events: readonly WholeEvent[], form: Form): Members {
  return atOnce(wholeJsonInSteps(events, form))
}

/** The same in steps of some events. */
export function* wholeJsonInSteps(
  events: readonly WholeEvent[],
  { as, creationDate, queryName, subscriptionID }: Form,
): Generator<void, Members> {
  const own = ['', ownPrefixes]
  const written = yield* mapInSteps(events, (event) =>
    isKept(event) ? inJson(event) : { event, context: own[1], losses: [] },
  )
  const losses = written.flatMap(({ losses }, index) => losses.map((what) => `eventList[${index}]: ${what}`))
  const contexts = [...written.map(({ context }) => context), ...(losses.length > 0 ? [own[1]] : [])]
  const { context, apart } = joinedContext(contexts)
  const eventList = written.map(({ event, context }, index) =>
    apart.has(index) && !Object.hasOwn(event, '@context') ? { '@context': context, ...event } : event,
  )
  const body =
    as === 'capture'
      ? { eventList }
      : {
          queryResults: {
            queryName: queryName ?? 'SimpleEventQuery',
            ...(subscriptionID !== undefined && { subscriptionID }),
            resultsBody: { eventList },
          },
        }
  return {
    '@context': context,
    type: as === 'capture' ? capturedAs : 'EPCISQueryDocument',
    schemaVersion: '2.0',
    creationDate,
    ...(losses.length > 0 && { [lossesName]: losses }),
    epcisBody: body,
  }
}

/**
 * A document with these events in XML. Elements that came in XML are unchanged but for the namespaces in their scope. A
 * document of version 1.2 if all of its events came so.
 */
export function wholeXml(events: readonly WholeEvent[], form: Form): string {
  return [...wholeXmlPieces(events, form)].join('')
}

/** The same in pieces, one for each event. */
export function* wholeXmlPieces(
  events: readonly WholeEvent[],
  { as, creationDate, queryName }: Form,
): Generator<string> {
  const isFirst = events.length > 0 && events.every((event) => isKept(event) && isXml(event, '1.2'))
  const version = isFirst ? '1' : '2'
  const [name, schema] = as === 'capture' ? [capturedAs, 'epcis'] : ['EPCISQueryDocument', 'epcis-query']
  const prefix = as === 'capture' ? 'epcis' : 'epcisq'
  const namespaces = { [prefix]: `urn:epcglobal:${schema}:xsd:${version}`, ...ownPrefixes }
  const list = { name: 'EventList', children: [] }
  const results = [
    { name: 'queryName', children: [queryName ?? 'SimpleEventQuery'] },
    { name: 'resultsBody', children: [list] },
  ]
  const content = as === 'capture' ? list : { name: `${prefix}:QueryResults`, children: results }
  const declared = Object.entries(namespaces).map(([one, uri]) => [nameOf(one), uri])
  const root = {
    name: `${prefix}:${name}`,
    attributes: { ...Object.fromEntries(declared), schemaVersion: isFirst ? '1.2' : '2.0', creationDate },
    children: [{ name: 'EPCISBody', children: [content] }],
  }
  function* elements() {
    for (const event of events) yield* elementsOf(event, isFirst, namespaces)
  }
  yield* xmlPieces(root, list.name, elements())
}

function isXml({ binding, version }: KeptSource, wanted: string): boolean {
  return binding === 'xml' && version === wanted
}

type Namespaces = Readonly<Record<string, string>>

/** The element of an event, after a comment that says what it cannot carry. */
function elementsOf(event: WholeEvent, isFirst: boolean, around: Namespaces): XmlElement['children'] {
  if (!isKept(event)) return [objectEvent(event)]
  if (isXml(event, isFirst ? '1.2' : '2.0')) return [unchanged(event, isFirst, around)]
  const { event: form, prefixes, losses: before } = formOf(event)
  const { element, losses } = inXml(form, prefixes)
  const lost = [...before, ...losses]
  const listed = levelsOf(element.name, false) === 0 ? element : { name: 'extension', children: [element] }
  return lost.length === 0 ? [listed] : [{ raw: `<!-- not carried: ${inComment(lost.join(', '))} -->` }, listed]
}

/** A text in a comment, which must not have two hyphens. */
function inComment(text: string): string {
  return text.replace(/[^ -~]/g, '?').replace(/-(?=-|$)/g, '- ')
}

/** The element as it came but for its `recordTime`, which is ours, with the namespaces that were in its scope. */
function unchanged(
  { context, body, recordedAt }: KeptSource,
  isFirst: boolean,
  around: Namespaces,
): { readonly raw: string } {
  const text = recordedAt === undefined ? String(body) : withRecordTime(String(body), recordedAt)
  const [tag = '', name = '', given = ''] = startTag.exec(text) ?? []
  const declared = new Set([...given.matchAll(/\sxmlns(?::([^\s=]+))?\s*=/g)].map(([, prefix = '']) => prefix))
  const scope = Object.entries(isObject(context) ? context : {}).filter(
    ([prefix, uri]) => !declared.has(prefix) && around[prefix] !== uri,
  )
  const added = scope.map(([prefix, uri]) => ` ${nameOf(prefix)}="${quoted(String(uri))}"`).join('')
  const raw = `<${name}${added}${given}${text.slice(tag.length)}`
  return { raw: wrappedIn(levelsOf(name, isFirst), raw) }
}

/** The element with this `recordTime`, which follows the first element in every version of the schema. */
function withRecordTime(text: string, recordedAt: string): string {
  const first = startOfEvent.exec(text)?.[0]
  if (first === undefined) return text
  const rest = text.slice(first.length)
  const given = recordTime.exec(rest)
  return `${first}${given?.[1] ?? ''}<recordTime>${recordedAt}</recordTime>${rest.slice(given?.[0].length ?? 0)}`
}

/** White space and comments. No text can be read as this in two ways, so that a search takes no longer than the text. */
const comment = '<!--(?:(?!-->)[^])*-->'
const space = String.raw`(?:\s|${comment}|<\?(?:(?!\?>)[^])*\?>)*`
const opening = (name: string) => String.raw`<${name}(?:\s(?:"[^"]*"|'[^']*'|[^"'>])*)?>`
const content = String.raw`(?:[^<]|${comment}|<!\[CDATA\[(?:(?!\]\]>)[^])*\]\]>)*`
const elementCalled = (name: string) => String.raw`${opening(name)}${content}</${name}\s*>`
const startOfEvent = new RegExp(`^${opening(String.raw`[^\s/>!?]+`)}${space}${elementCalled('eventTime')}`)
const recordTime = new RegExp(`^(${space})${elementCalled('recordTime')}`)

/** The start of an element: its name and its attributes. */
const startTag = /^<([^\s/>]+)((?:\s+[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*'))*)/
