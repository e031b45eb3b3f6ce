import { canonicalLink, epcUrn, isObject, type Members } from '../../engine/index.ts'
import { type WordKind, wordAs } from './parse/words.ts'

/** How keys of GS1 are written in an answer (EPCIS 2.0, `GS1-EPC-Format`); as they came if no form is wanted. */
export const epcFormats = ['No_Preference', 'Always_GS1_Digital_Link', 'Always_EPC_URN', 'Never_Translates'] as const

/** How words of CBV are written in XML (EPCIS 2.0, `GS1-CBV-XML-Format`); as they came if no form is wanted. */
export const cbvFormats = ['No_Preference', 'Always_Web_URI', 'Always_URN', 'Never_Translates'] as const

/** The forms that an answer has. */
export interface Formats {
  readonly epc?: (typeof epcFormats)[number] | undefined
  readonly cbv?: (typeof cbvFormats)[number] | undefined
}

type Translate = (text: string) => string

/** A form of keys that is one of `epcFormats`. */
export function isEpcFormat(text: unknown): text is (typeof epcFormats)[number] {
  return epcFormats.some((one) => one === text)
}

/**
 * Writes keys in a form. A link does not show where its company prefix ends: it becomes a URN if another URN of the same
 * answer has that prefix, and otherwise stays.
 */
function keysIn(format: Formats['epc'], answer: string): Translate | undefined {
  if (format === 'Always_GS1_Digital_Link') return (text) => (text.startsWith('urn:epc:') ? canonicalLink(text) : text)
  if (format !== 'Always_EPC_URN') return undefined
  const prefixes = new Set(
    [...answer.matchAll(/urn:epc:(?:id|class|idpat):[a-z]+:(\d{6,12})\./g)].map(([, one]) => one),
  )
  const lengthOf = (digits: string) =>
    [6, 7, 8, 9, 10, 11, 12].find((length) => digits.length >= length && prefixes.has(digits.slice(0, length)))
  return (text) => epcUrn(text, lengthOf)
}

/** A list of keys in a form. */
export function translatedKeys(keys: readonly string[], { epc }: Formats): readonly string[] {
  const translate = keysIn(epc, keys.join('\n'))
  return translate === undefined ? keys : [...new Set(keys.map(translate))]
}

/** A document in JSON in these forms: the keys in members of the standard, not those in extensions and ILMD. */
export function translatedJson(document: Members, { epc }: Formats): Members {
  if (epc !== 'Always_GS1_Digital_Link' && epc !== 'Always_EPC_URN') return document
  const translate = keysIn(epc, JSON.stringify(document))
  return translate === undefined ? document : inMembers(document, translate)
}

function inMembers(members: Members, translate: Translate): Members {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, isKept(name) ? value : inValue(value, translate)]),
  )
}

/** Members that no key of the standard is in. */
function isKept(name: string): boolean {
  return /[:@]/.test(name) || name === 'ilmd' || name === 'eventID' || name === 'epcisHeader'
}

function inValue(value: unknown, translate: Translate): unknown {
  if (typeof value === 'string') return translate(value)
  if (Array.isArray(value)) return value.map((one) => inValue(one, translate))
  return isObject(value) ? inMembers(value, translate) : value
}

/** The elements of XML with words of CBV, and with keys; those of extensions have a prefix. */
const words: Readonly<Record<string, WordKind>> = {
  ...{ bizStep: 'bizStep', disposition: 'disposition', set: 'disposition', unset: 'disposition', reason: 'reason' },
}
const typed: Readonly<Record<string, WordKind>> = {
  ...{ bizTransaction: 'bizTransactionType', source: 'sourceType', destination: 'sourceType' },
}
const keyed = ['epc', 'parentID', 'epcClass', 'id', 'transformationID', ...Object.keys(typed)]

const leaf = new RegExp(`<(${[...Object.keys(words), ...keyed].join('|')})((?:\\s[^<>]*)?)>([^<&]*)</\\1\\s*>`, 'g')
const sensed = /<sensor(?:Metadata|Report)\s[^<>]*>/g

/** A document in XML in these forms, of which nothing else changes. */
export function translatedXml(text: string, { epc, cbv }: Formats): string {
  const key = keysIn(epc, text)
  const form = cbv === 'Always_Web_URI' ? 'web' : cbv === 'Always_URN' ? 'urn' : undefined
  if (key === undefined && form === undefined) return text
  const word = (kind: WordKind, one: string) => (form === undefined ? one : wordAs(kind, one, form))
  const written = text.replace(leaf, (_, name: string, attributes: string, content: string) => {
    const kind = words[name]
    const translate: Translate = kind === undefined ? (key ?? ((one) => one)) : (one) => word(kind, one)
    const type = typed[name]
    const given =
      type === undefined
        ? attributes
        : attributes.replace(/(\stype\s*=\s*["'])([^"']*)/, (_, start, one) => `${start}${word(type, one)}`)
    return `<${name}${given}>${content.replace(/\S+/g, (one) => asText(translate(one)))}</${name}>`
  })
  if (key === undefined) return written
  return written.replace(sensed, (tag) =>
    tag.replace(/(=\s*["'])([^"'&]*)/g, (_, start, one) => `${start}${asText(key(one))}`),
  )
}

function asText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&apos;')
}
