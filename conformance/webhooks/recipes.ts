import { createHash, createHmac } from 'node:crypto'
import { type Capture, headerOf } from './receiver.ts'

/** The recipes of document 3, "Authentication", as a receiver would write them down. */
export type Recipe = 'tenant' | 'lifecycle' | 'provider' | 'handoff'

/** The expected headers of a captured request; headers that are not listed are not checked. */
const recipes: Readonly<Record<Recipe, (capture: Capture, secret: string) => Readonly<Record<string, string>>>> = {
  tenant: ({ body }, secret) => ({ Signature: hmac(secret, [body], 'hex') }),
  lifecycle: (capture, secret) => ({
    Signature: hmac(secret, [capture.body], 'hex'),
    'X-Webhook-Signature-V2': threeLines(capture, secret, 'X-Webhook-Id'),
  }),
  provider: (capture, secret) => ({
    'X-Webhook-Signature': threeLines(capture, secret, 'X-Webhook-Delivery-Id'),
    'X-Webhook-Content-Digest': `sha-256=:${createHash('sha256').update(capture.body).digest('base64')}:`,
  }),
  handoff: (capture, secret) => {
    const signed = [`${headerOf(capture, 'X-Ohp-Timestamp')}.`, capture.body]
    return { 'X-Ohp-Signature': `v1=${hmac(secret, signed, 'hex')}` }
  },
}

/** The recipe of an event that came to a URL field of the settings, or by a channel. */
export function recipeFor(place: string): Recipe {
  if (place === 'provider_locker' || place === 'third_party_delivery') return 'provider'
  if (place === 'order_handoff') return 'handoff'
  if (place === 'callback') return 'lifecycle'
  return /^(device_order|order_lifecycle|driver_location)_webhook_url$/.test(place) ? 'lifecycle' : 'tenant'
}

/** The failed checks of a captured request; empty if it verifies. */
export function flawsBy(recipe: Recipe, capture: Capture, secret: string): readonly string[] {
  return Object.entries(recipes[recipe](capture, secret)).flatMap(([name, expected]) =>
    headerOf(capture, name) === expected ? [] : [`${name}: ${headerOf(capture, name)}, not ${expected}`],
  )
}

function threeLines(capture: Capture, secret: string, idHeader: string): string {
  const head = `${headerOf(capture, 'X-Webhook-Timestamp')}\n${headerOf(capture, idHeader)}\n`
  return hmac(secret, [head, capture.body], 'base64')
}

function hmac(secret: string, parts: readonly (string | Buffer)[], encoding: 'hex' | 'base64'): string {
  const made = createHmac('sha256', Buffer.from(secret))
  for (const part of parts) made.update(part)
  return made.digest(encoding)
}
