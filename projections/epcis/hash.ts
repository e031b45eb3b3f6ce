import { instantOf, isObject, sha256 } from '../../engine/index.ts'
import { decimalOf } from '../shared/number.ts'
import { canonicalLink } from './digital-link.ts'
import type { Destination, ObjectEvent } from './document.ts'
import { type Extension, otepNamespace, otepPrefix } from './extension.ts'
import type { BizTransaction, Named } from './identifiers.ts'

const cbv = 'https://ref.gs1.org/cbv/'

/** Texts of the objects that many events share. */
export type SharedTexts = ReadonlyMap<object, string>

/** The texts of what all events of a subject share, so that each is made once. */
export function sharedTexts({ epcList, bizTransactionList }: Named, subject: Extension): SharedTexts {
  const texts = new Map<object, string>([[epcList, epcText(epcList)]])
  if (bizTransactionList !== undefined) texts.set(bizTransactionList, transactionText(bizTransactionList))
  return texts.set(subject, extensionText(subject, texts))
}

/** The id of an event that is made of what it says (CBV 2.0, event hash id). */
export function eventHash(event: ObjectEvent, shared: SharedTexts): string {
  return `ni:///sha-256;${sha256(preHash(event, shared))}?ver=CBV2.0`
}

/**
 * The text that the hash is taken of: the members in the canonical order as `name=value`, lists and extensions sorted
 * by code point, nothing in between. The id, the record time and an error declaration are no part of it.
 */
export function preHash(event: ObjectEvent, shared: SharedTexts = new Map()): string {
  const { epcList, disposition, readPoint, bizLocation, bizTransactionList, destinationList } = event
  let text = `eventType=${event.type}eventTime=${utcMillis(event.eventTime)}`
  text += `eventTimeZoneOffset=${event.eventTimeZoneOffset}`
  text += shared.get(epcList) ?? epcText(epcList)
  text += `action=${event.action}bizStep=${cbv}BizStep-${event.bizStep}`
  if (disposition !== undefined) text += `disposition=${cbv}Disp-${disposition}`
  if (readPoint !== undefined) text += `readPointid=${canonicalLink(readPoint.id)}`
  if (bizLocation !== undefined) text += `bizLocationid=${canonicalLink(bizLocation.id)}`
  if (bizTransactionList !== undefined) text += shared.get(bizTransactionList) ?? transactionText(bizTransactionList)
  if (destinationList !== undefined) text += destinationText(destinationList)
  return text + extensionText(event, shared)
}

function epcText(epcs: readonly string[]): string {
  return epcs.length === 0 ? '' : `epcList${sorted(epcs.map((epc) => `epc=${canonicalLink(epc)}`))}`
}

function transactionText(transactions: readonly BizTransaction[]): string {
  const parts = transactions.map(
    ({ type, bizTransaction }) => `type=${cbv}BTT-${type}bizTransaction=${canonicalLink(bizTransaction)}`,
  )
  return `bizTransactionList${sorted(parts)}`
}

function destinationText(destinations: readonly Destination[]): string {
  const parts = destinations.map(
    ({ type, destination }) => `type=${cbv}SDT-${type}destination=${canonicalLink(destination)}`,
  )
  return `destinationList${sorted(parts)}`
}

/** In UTC with three decimals, rounded half up at the fourth. */
function utcMillis(dateTime: string): string {
  const fourth = /\.\d{3}(\d)/.exec(dateTime)?.[1] ?? '0'
  return new Date(instantOf(dateTime) + (fourth >= '5' ? 1 : 0)).toISOString()
}

const keyStart = `{${otepNamespace}}`

function extensionText(members: object, shared: SharedTexts): string {
  const parts: string[] = []
  for (const name of Object.keys(members)) {
    if (!name.startsWith(otepPrefix)) continue
    const key = keyStart + name.slice(otepPrefix.length)
    const value: unknown = (members as Extension)[name]
    if (Array.isArray(value)) for (const item of value) parts.push(key + valueText(item, shared))
    else parts.push(key + valueText(value, shared))
  }
  return sorted(parts)
}

function valueText(value: unknown, shared: SharedTexts): string {
  if (isObject(value)) return shared.get(value) ?? extensionText(value, shared)
  const text = typeof value === 'number' ? decimalOf(value) : canonicalLink(String(value).trim())
  return text === '' ? '' : `=${text}`
}

/** From here on, code units are not in the order of code points. */
const beyond = /[\ud800-\uffff]/

function sorted(parts: string[]): string {
  const text = parts.sort().join('')
  return beyond.test(text) ? parts.sort(byCodePoint).join('') : text
}

function byCodePoint(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at++) {
    const difference = rank(one.charCodeAt(at)) - rank(other.charCodeAt(at))
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

/** A code unit by the place of its code point: halves of pairs come after U+FFFF. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}
