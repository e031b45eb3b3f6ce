import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { rulesJudge } from '../json-schema.ts'
import type { Judge } from '../judge.ts'
import { isMeant } from '../meant.ts'
import { official } from '../official.ts'

/** The official schema of an order, with the files that it refers to. */
const orderJudge: Judge = {
  name: 'JSON Schema of dev.ucp.shopping.order',
  format: 'ucp',
  takes: ({ mediaType, form }) => mediaType === 'application/json' && form === undefined,
  open: official(['ucp/schemas'], ([folder]) => {
    const ajv = addFormats.default(new Ajv2020.default({ strict: false, allErrors: true, logger: false }))
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (path.endsWith('.json')) ajv.addSchema(JSON.parse(readFileSync(join(folder, path), 'utf8')))
    const validate = ajv.getSchema('https://ucp.dev/schemas/shopping/order.json')
    if (validate === undefined) throw new Error('There is no schema of an order.')
    return ({ text }) => {
      if (validate(JSON.parse(text))) return []
      return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
    }
  }),
}

interface Order {
  readonly line_items: readonly {
    readonly quantity: { readonly total: number; readonly fulfilled: number }
    readonly status: string
  }[]
  readonly fulfillment: {
    readonly events: readonly { readonly id: string; readonly occurred_at: string; readonly type: string }[]
  }
}

/** Types that only these codes may become, so that nothing is misleading. */
const onlyFrom: Readonly<Record<string, readonly string[]>> = {
  shipped: ['picked_up'],
  delivered: ['delivered', 'collected'],
  failed_attempt: ['delivery_failed'],
  canceled: ['cancelled'],
}

/** The judges of orders of the Universal Commerce Protocol. */
export const judges: readonly Judge[] = [
  orderJudge,
  rulesJudge<Order>('rules of an order', 'ucp', ({ line_items: [line], fulfillment: { events } }, { timeline }) => [
    new Set(events.map(({ id, type, occurred_at }) => `${id} ${type} ${occurred_at}`)).size < events.length &&
      'Two events are the same.',
    timeline.delivered !== (line?.status === 'fulfilled') && 'The line and the timeline do not agree on the delivery.',
    (line?.quantity.total === 0) !== (line?.status === 'removed') && 'Only a line of nothing is removed.',
    ...events.map(({ type, occurred_at }) => {
      const codes = onlyFrom[type]
      const isRight = timeline.events.some(
        (event) => event.occurred_at === occurred_at && isMeant(timeline, event.status_code, codes ?? []),
      )
      return codes !== undefined && !isRight && `${type} at ${occurred_at} is no ${codes.join(' or ')}.`
    }),
  ]),
]
