import { html } from 'hono/html'
import { options, tick } from '../signed-in/parts.ts'
import { limitsOf, type Member, type Members } from '../signed-in/schema.ts'
import type { Html } from '../words.ts'
import type { WebhookTexts } from './texts/index.ts'

/** How events are sent to a URL, by the names of the members in the input of the operation. */
export type Manner = Readonly<Record<string, string | boolean>>

/** The members of an input that say how events are sent: those that have words. */
function partsOf(members: Members, { manner }: WebhookTexts): readonly (readonly [string, string, Member])[] {
  return Object.entries(manner).flatMap(([name, words]) => {
    const member = members[name]
    return member === undefined ? [] : [[name, words, member] as const]
  })
}

/** The form fields of a manner; `prefix` is in front of their names, and `label` says of what they are. */
export function mannerFields(
  members: Members,
  manner: Manner,
  { prefix = '', label }: { readonly prefix?: string; readonly label: string },
  texts: WebhookTexts,
): readonly Html[] {
  return partsOf(members, texts).map(([part, words, member]) => {
    const name = `${prefix}${part}`
    const value = String(manner[part] ?? '')
    if (member.isSwitch)
      return tick(name, '1', html`${words}<span class="hidden"> (${label})</span>`, manner[part] === true)
    if (member.choices.length > 0) {
      const choices = member.choices.map((choice) => [choice, wordsOf(part, choice, texts)] as const)
      return html`<select name="${name}" aria-label="${texts.named({ name: label })} ${words}">${options(choices, value)}</select>`
    }
    return html`<input name="${name}" type="text"${limitsOf(member)} value="${value}" placeholder="${words}" aria-label="${texts.named({ name: label })} ${words}" autocomplete="off" spellcheck="false" dir="ltr">`
  })
}

/** A manner in words: what differs from nothing. */
export function mannerWords(members: Members, manner: Manner, texts: WebhookTexts): string {
  const told = partsOf(members, texts).map(([part, words, { choices }]) => {
    const value = manner[part]
    if (value === true) return words
    return typeof value === 'string' && choices.length > 0 ? wordsOf(part, value, texts) : value
  })
  return told.filter(Boolean).join(' · ')
}

function wordsOf(part: string, choice: string, { formats, signatures }: WebhookTexts): string {
  const words: Readonly<Record<string, string>> = part === 'signature' ? signatures : formats
  return words[choice] ?? choice
}

/** The submitted manner. */
export function mannerIn(form: URLSearchParams, members: Members, texts: WebhookTexts, prefix = ''): Manner {
  const manner = filled(members, texts, (part, member) => {
    const text = form.get(`${prefix}${part}`)
    if (member.isSwitch) return text !== null
    return member.choices.length === 0 ? (text ?? '').trim() : (text ?? '')
  })
  // The signatures of a public key are in the headers of Standard Webhooks.
  return manner.ed25519 === true ? { ...manner, standard_signature: true } : manner
}

/** The manner in an answer; without one, how events are sent at first. */
export function mannerOf(record: Readonly<Record<string, unknown>>, members: Members, texts: WebhookTexts): Manner {
  return filled(members, texts, (part) => record[part])
}

function filled(members: Members, texts: WebhookTexts, given: (part: string, member: Member) => unknown): Manner {
  const values = partsOf(members, texts).map(([part, , member]) => {
    const value = given(part, member)
    if (member.isSwitch) return [part, value === true] as const
    const [first = '', ...others] = member.choices
    const isKnown = first === '' || [first, ...others].includes(String(value))
    return [part, typeof value === 'string' && isKnown ? value : first] as const
  })
  return Object.fromEntries(values)
}

/** The input of a manner; what is off or empty is left out where it may be. */
export function mannerInput(manner: Manner, members: Members): Manner {
  const given = Object.entries(manner).filter(
    ([part, value]) => members[part]?.isRequired === true || (value !== false && value !== ''),
  )
  return Object.fromEntries(given)
}

/** Whether events are sent in another manner than at first. */
export function isOwnManner(manner: Manner, members: Members, texts: WebhookTexts): boolean {
  return JSON.stringify(manner) !== JSON.stringify(mannerOf({}, members, texts))
}
