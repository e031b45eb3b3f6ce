import * as v from 'valibot'
import { type CarrierOffer, type CarrierRefusal, compareAmounts, withoutMarkup } from '../../engine/index.ts'
import type { CarrierResponse } from './http.ts'

/** The answer that a carrier refuses, in its own words: on one line, and at most 400 characters of them. */
export function refused(code: CarrierRefusal['code'], words: string) {
  const line = wordsIn(words, 401)
  const message = line.length > 400 ? `${shortened(line, 399)}…` : line
  return { refused: { code, message: message === '' ? 'The carrier gives no reason.' : message } }
}

/** What a text of a carrier says to a person: on one line, without markup, with its character references decoded once. */
export function wordsIn(text: string, limit: number): string {
  return shortened(withoutMarkup(text.slice(0, 100 * limit)), limit)
}

/** A text of a carrier on one line, without control characters, cut between characters. */
export function shortened(text: string, limit: number): string {
  const line = text.slice(0, 100 * limit).toWellFormed()
  const words = line.replace(/[\s\0-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ').trim()
  const cut = words.slice(0, limit)
  return (cut.isWellFormed() ? cut : cut.slice(0, -1)).trim()
}

/** Parsing stops at the first thing that is wrong: of each, valibot keeps a description, and an answer can have a million. */
export const untilWrong = { abortEarly: true } as const

/** What a server answers, by its schema. Throws what valibot throws. */
export function answerBy<const Schema extends v.GenericSchema>(schema: Schema, json: unknown) {
  return v.parse(schema, json, untilWrong)
}

/** The most items of a list in an answer. Carriers give some hundreds at most. */
const mostItems = 1_000

/** A list in an answer of a server. It is counted before its items are looked at. */
export function listOf<const Item extends v.GenericSchema>(item: Item) {
  return v.pipe(v.array(v.unknown()), v.maxLength(mostItems), v.array(item))
}

/** Whether a server says that it has no such thing. A page of something in between says nothing of that. */
export function isMissing({ status, json }: CarrierResponse): boolean {
  return status === 404 && json !== undefined
}

/**
 * Why a server refuses, if its status says so; `words` are what it says. Throws for what is no answer of the carrier: a redirect, and
 * a refusal that is not JSON.
 */
export function refusalBy({ status, json }: CarrierResponse, words: string) {
  if (status < 300) return undefined
  const isUnauthorized = status === 401 || status === 403
  if (status < 400 || (json === undefined && !isUnauthorized)) throw new Error(`The server answers ${status}.`)
  if (isUnauthorized) return refused('wrong_credentials', words)
  return refused(status === 402 ? 'no_funds' : 'other', words)
}

/** Asks about many things, some at once; the answers are in their order. */
export async function inTurn<Item, Answer>(items: readonly Item[], ask: (item: Item) => Promise<Answer>) {
  const answers: Answer[] = []
  for (let from = 0; from < items.length; from += 10)
    answers.push(...(await Promise.all(items.slice(from, from + 10).map(ask))))
  return answers
}

/**
 * Does the same only once at a time: who comes while it is done gets the same answer. Other processes are kept out by the saga of
 * the label, which lets one ask at a time.
 */
export function createSingleFlight<Answer>() {
  const flying = new Map<string, Promise<Answer>>()
  return (key: string, act: () => Promise<Answer>): Promise<Answer> => {
    const flight = flying.get(key) ?? act().finally(() => flying.delete(key))
    flying.set(key, flight)
    return flight
  }
}

/** The rates that a carrier offers, cheapest first: at most 50 of those with an exact price. */
export function rated<Rate>(rates: readonly Rate[], offerOf: (rate: Rate) => CarrierOffer | undefined) {
  const offers = rates.flatMap((one) => offerOf(one) ?? [])
  if (offers.length === 0) return refused('other', 'No rate has an exact price in its currency.')
  return { rates: offers.sort((one, other) => compareAmounts(one.amount, other.amount)).slice(0, 50) }
}

/** Whether a carrier's address of a document can be kept: it is one of HTTP, or below that of the server. */
export function isAddress(text: string): boolean {
  return /^[\x21-\x7e]{1,2000}$/.test(text) && (/^https?:/i.test(text) || !/^[a-z][a-z0-9+.-]*:/i.test(text))
}

/** The longest name of a rate that is kept. */
export const longestReference = 2000
