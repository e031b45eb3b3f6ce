import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Test } from 'tap'

/** A plug-in whose carrier is a service with its own books. */
export const plugin = (url: string) => `
import { defineCarrier, definePlugin, v } from 'otep-engine/plugin'
const method = (what) => async (input, { signal, currency }) => {
  const answer = await fetch('${url}/' + what, { method: 'POST', body: JSON.stringify({ ...input, currency }), signal })
  return answer.json()
}
export const plugin = definePlugin({
  carriers: [
    defineCarrier({
      name: 'books',
      title: 'Books',
      credentials: v.strictObject({}),
      services: [{ code: 'one', name: 'One' }],
      rate: method('rate'),
      buy: method('buy'),
      void: method('void'),
      manifest: method('manifest'),
      track: async () => ({ refused: { code: 'unknown_number', message: 'None.' } }),
    }),
  ],
})
`

/** Moments of a purchase: before the label is sold, after it was sold and before the answer, and after the answer. */
export type Moment = 'before' | 'between' | 'after'

/** A label in the books. */
interface Sold {
  readonly number: string
  readonly amount: number
  state: 'sold' | 'void' | 'manifested'
}

type Asked = ReturnType<typeof JSON.parse>

/** What the carrier takes for a shipment, in hundredths. */
export const amountOfBooks = (parcels: readonly { readonly weight_grams: number }[]): number =>
  parcels.reduce((sum, { weight_grams }) => sum + 450 + Math.ceil(weight_grams / 100) * 13, 0)

const textOf = (hundredths: number) => (hundredths / 100).toFixed(2)

/**
 * A carrier with its own books, which sells a label once for each key. While `next.kill` is set, the next purchase calls it at
 * its moment, and is not answered unless that is `after`.
 */
export async function openBooks(t: Test) {
  const labels = new Map<string, Sold>()
  const manifests = new Map<string, string>()
  const next: { kill?: { readonly moment: Moment; readonly run: () => Promise<void> } | undefined } = {}
  const buy = ({ key, parcels, currency }: Asked) => {
    const known = labels.get(key)
    const label = known ?? { number: `B${labels.size + 1}`, amount: amountOfBooks(parcels), state: 'sold' as const }
    labels.set(key, label)
    return { label: { reference: key, tracking_numbers: [label.number], amount: textOf(label.amount), currency } }
  }
  const change = (numbers: readonly string[], state: Sold['state']) => {
    for (const label of labels.values()) if (numbers.includes(label.number)) label.state = state
  }
  const answers: Readonly<Record<string, (asked: Asked) => object>> = {
    rate: ({ parcels, currency }) => ({
      rates: [{ service: 'one', amount: textOf(amountOfBooks(parcels)), currency }],
    }),
    buy,
    void: ({ tracking_numbers }) => {
      change(tracking_numbers, 'void')
      return { voided: true }
    },
    manifest: ({ key, labels: given }) => {
      change(
        given.flatMap(({ tracking_numbers }: Asked) => tracking_numbers),
        'manifested',
      )
      manifests.set(key, manifests.get(key) ?? `M${manifests.size + 1}`)
      return { manifest: { reference: manifests.get(key) } }
    },
  }
  const server = createServer(async (request, response) => {
    const asked = await json(request)
    const what = request.url?.slice(1) ?? ''
    const kill = what === 'buy' ? next.kill : undefined
    if (kill !== undefined) next.kill = undefined
    if (kill?.moment === 'before') return void (await kill.run())
    const answer = answers[what]?.(asked) ?? {}
    if (kill?.moment === 'between') return void (await kill.run())
    await sent(response, answer)
    await kill?.run()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { labels, next, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function sent(response: ServerResponse, answer: object): Promise<void> {
  return new Promise((resolve) => response.end(JSON.stringify(answer), resolve))
}
