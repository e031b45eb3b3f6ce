import type { CarrierOffer, CarrierRefusal } from '../../engine/index.ts'
import type { CarrierResponse } from './http.ts'

/** The answer that a carrier refuses, in its own words: on one line, and at most 400 characters of them. */
export function refused(code: CarrierRefusal['code'], words: string) {
  const line = words
    .toWellFormed()
    .replace(/[\s\0-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ')
    .trim()
  const message = line.length > 400 ? `${[...line].slice(0, 399).join('')}…` : line
  return { refused: { code, message: message === '' ? 'The carrier gives no reason.' : message } }
}

/** Why a server refuses, if its status says so; `words` are what it says. */
export function refusalBy({ status }: CarrierResponse, words: string) {
  if (status < 400) return undefined
  if (status === 401 || status === 403) return refused('wrong_credentials', words)
  return refused(status === 402 ? 'no_funds' : 'other', words)
}

/** Hundredths of a decimal number or text; undefined where they are not exact, or not within 0 to 10 million. */
export function exactHundredths(amount: number | string): number | undefined {
  const [, whole, fraction = ''] = /^(\d{1,8})(?:\.(\d{1,20}))?$/.exec(String(amount)) ?? []
  if (whole === undefined || /[1-9]/.test(fraction.slice(2))) return undefined
  const hundredths = Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0'))
  return hundredths <= 1_000_000_000 ? hundredths : undefined
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
  if (offers.length === 0) return refused('other', 'No rate has an exact price in hundredths.')
  return { rates: offers.sort((one, other) => one.amount - other.amount).slice(0, 50) }
}
