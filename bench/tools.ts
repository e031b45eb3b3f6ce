import { Hono } from 'hono'
import * as v from 'valibot'
import { type Operation, operation, parse } from '../engine/index.ts'

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(200))
const input = v.strictObject({
  reference: v.pipe(text, v.description('Reference of the order.')),
  note: v.exactOptional(v.pipe(text, v.description('For whoever reads it.'))),
  page: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.description('From 1.'))),
  per_page: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(200))),
  status: v.exactOptional(v.picklist(['NEW_ORDER', 'HOLD', 'COMPLETED'])),
  items: v.exactOptional(v.pipe(v.array(text), v.maxLength(100), v.description('What it holds.'))),
})
const output = v.strictObject({ result: v.boolean(), reference: v.string(), total: v.number() })
const answer = ({ reference }: v.InferOutput<typeof input>) => ({ result: true, reference, total: 1 })

/** As many tools as the catalogue of the service has; each does minimal work. */
export const benchTools: readonly Operation[] = Array.from({ length: 93 }, (_, index) =>
  operation({
    name: `tool_${index}`,
    summary: 'Looks up an order by its reference, and answers how many there are.',
    scopes: [],
    risk: 'low',
    mcp: { title: `Tool ${index}` },
    input,
    output,
    errors: [],
    handle: async (_, input) => answer(input),
  }),
)

/** The paths of the bare routes. */
export const barePaths = { call: '/call', list: '/list' }

/** Bare Hono routes that do the same: one parses and checks a body and responds, one returns a prepared list. */
export function bareTools(): Hono {
  const app = new Hono()
  let list: unknown
  app.post(barePaths.call, async (request) => {
    const { value } = parse(input, await request.req.json())
    return value === undefined ? request.json({ result: false }, 422) : request.json(answer(value))
  })
  app.put(barePaths.list, async (request) => {
    list = await request.req.json()
    return request.json({})
  })
  app.post(barePaths.list, async (request) => {
    await request.req.json()
    return request.json(list)
  })
  return app
}
