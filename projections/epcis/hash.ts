import { canonicalLink, type Subject } from '../../engine/index.ts'
import { decimalOf } from '../shared/number.ts'
import { cachedWriter, hexDigest, joined, type Plain } from '../shared/template/index.ts'
import { utcMillisOf } from '../shared/time.ts'
import { sorted } from './code-points.ts'
import type { Step } from './codes.ts'
import { type Common, type EventInput, ownMembers, subjectNative } from './event-input.ts'
import { formerForm, isPart, type Native, type OwnForm, ownForm } from './extension.ts'
import type { BizTransaction, Named } from './identifiers.ts'

const cbv = 'https://ref.gs1.org/cbv/'

/** The id of an event, derived from its content (CBV 2.0, event hash id). */
export function eventHash(input: EventInput): Plain {
  return joined('ni:///sha-256;', hexDigest(preHash(input)), '?ver=CBV2.0')
}

/**
 * The text that is hashed: the members in canonical order as `name=value`, lists and extensions sorted by code point,
 * without separators. The id, the record time and an error declaration are not part of it.
 */
export function preHash(input: EventInput): string {
  const { common, event, row, eventTimeZoneOffset, readPoint, bizLocation, destination } = input
  let text = `eventType=ObjectEventeventTime=${utcMillisOf(event.occurred_at)}eventTimeZoneOffset=${eventTimeZoneOffset}`
  text += common.hashed.epcList + stepText(row)
  if (readPoint !== undefined) text += `readPointid=${canonicalLink(readPoint)}`
  if (bizLocation !== undefined) text += `bizLocationid=${canonicalLink(bizLocation)}`
  text += common.hashed.bizTransactionList
  if (destination !== undefined) {
    text += `destinationListtype=${cbv}SDT-locationdestination=${canonicalLink(destination)}`
  }
  return text + (common.form === formerForm ? formerText : ownText).members(input)
}

const stepText = cachedWriter(({ action, bizStep, disposition }: Step) => {
  const text = bizStep === undefined ? `action=${action}` : `action=${action}bizStep=${wordText('BizStep', bizStep)}`
  return disposition === undefined ? text : `${text}disposition=${wordText('Disp', disposition)}`
})

/** A word of CBV, or a URI of another vocabulary. */
function wordText(kind: string, word: string): string {
  return word.includes(':') ? canonicalLink(word) : `${cbv}${kind}-${word}`
}

/** The parts of that text which all events of a timeline share. */
export function hashedTexts(
  { epcList, bizTransactionList = [] }: Named,
  subject: Subject,
  form: OwnForm,
): Common['hashed'] {
  return {
    epcList: listText(
      'epcList',
      epcList.map((epc) => `epc=${canonicalLink(epc)}`),
    ),
    bizTransactionList: listText('bizTransactionList', bizTransactionList.map(transactionText)),
    subject: `{${form.namespace}}subject${(form === formerForm ? formerText : ownText).subject(subject)}`,
  }
}

function transactionText({ type, bizTransaction }: BizTransaction): string {
  return `type=${cbv}BTT-${type}bizTransaction=${canonicalLink(bizTransaction)}`
}

function listText(name: string, items: string[]): string {
  return items.length === 0 ? '' : name + sorted(items)
}

const [ownText, formerText] = [textsIn(ownForm), textsIn(formerForm)]

/** The texts of OTEP's own members in a form. */
function textsIn(form: OwnForm) {
  const subject = ({ common }: EventInput) => common.hashed.subject
  return { members: extensionText(ownMembers, form, { subject }), subject: extensionText(subjectNative, form) }
}

/**
 * Returns a function for the text of an extension; some members may already be texts. No name is a prefix of another,
 * so the members sort like their texts.
 */
function extensionText<Input>(
  members: Native<Input>,
  form: OwnForm,
  made: Readonly<Record<string, (input: Input) => string>> = {},
): (input: Input) => string {
  const names = Object.keys(members).sort()
  const parts = names.map((name) => made[name] ?? memberText(name, members[name] as Native<Input>[string], form))
  return (input) => {
    let text = ''
    for (const part of parts) text += part(input)
    return text
  }
}

function memberText<Input>(name: string, member: Native<Input>[string], form: OwnForm): (input: Input) => string {
  const key = `{${form.namespace}}${name}`
  if (!isPart(member)) {
    const textOf = (value: unknown) => key + valueText(value, form)
    return (input) => {
      const value = member.make(input)
      if (value === undefined) return ''
      return Array.isArray(value) ? sorted(value.map(textOf)) : textOf(value)
    }
  }
  const text = cachedWriter(extensionText(member.inner, form), member.identity)
  return (input) => {
    const inner = member.get(input)
    return inner === undefined ? '' : key + text(inner)
  }
}

function valueText(value: unknown, { mark }: OwnForm): string {
  if (typeof value === 'number') return `=${decimalOf(value)}`
  if (mark !== '') return typeof value === 'string' ? `=${mark}${trimmed(value)}` : `=${String(value)}`
  const text = String(value).trim()
  return text === '' ? '' : `=${canonicalLink(text)}`
}

/** A text without white space at its end, which few have. */
function trimmed(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return last > 0x20 && last < 0x7f ? text : text.trimEnd()
}
