import type * as v from 'valibot'
import { attemptPhases, csvLine, listWebhookDeliveries } from '../../../engine/index.ts'
import { outputOf } from '../signed-in/account.ts'
import type { Visitor } from '../signed-in/session.ts'
import { isOneOf } from '../signed-in/visit.ts'
import { filterIn, inputOf } from './filter.ts'
import type { ListedDelivery } from './log-table.ts'
import { orMissing } from './refusals.ts'
import { log, type Visited } from './setting.ts'

/** Deliveries that are read at once; the next ones are read when these were sent. */
const perPage = 100

type Query = v.InferInput<typeof listWebhookDeliveries.input>

const columns = [
  ...([
    'created_at',
    'event',
    'state',
    'last_status',
    'last_failure',
    'attempts',
    'subject',
    'url',
    'url_name',
    'event_id',
  ] as const),
  ...(['delivery_id', 'endpoint_id', 'owner', 'customer_id', 'channel', 'field', 'next_attempt_at'] as const),
  ...(['test', 'sandbox', 'redelivery_of', 'last_failed_phase'] as const),
] as const satisfies readonly (keyof ListedDelivery)[]

/** Members of the phases of the last attempt, which are columns `last_...` in CSV. */
const phaseMembers = [...attemptPhases.map((phase) => `${phase}_ms` as const), 'reused'] as const

/** How each format begins, and writes a delivery. */
const formats = {
  csv: {
    type: 'text/csv; charset=utf-8',
    head: `${[...columns, ...phaseMembers.map((member) => `last_${member}`)].join(',')}\r\n`,
    line: lineOf,
  },
  ndjson: {
    type: 'application/x-ndjson',
    head: '',
    line: (delivery: ListedDelivery) => `${JSON.stringify(delivery)}\n`,
  },
} as const

/** Streams all deliveries that match the filter, newest first. */
export function exportLog(visit: Visited, visitor: Visitor): Promise<Response> {
  const { request, answering } = visit
  const format = request.req.param('format') === 'csv' ? 'csv' : 'ndjson'
  const query = inputOf(filterIn(new URL(request.req.url).searchParams), visitor)
  return orMissing(visit, visitor, async () => {
    const { type, head, line } = formats[format]
    const pages = pagesOf(visitor, query as Query)
    // The first page is read before the answer begins: the log says what is wrong with a filter.
    const first = await pages.next().catch(ignoreInvalid)
    if (first === undefined) return answering.redirect(`${log}${new URL(request.req.url).search}`)
    const text = (deliveries: readonly ListedDelivery[]) => deliveries.map(line).join('')
    const encoder = new TextEncoder()
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(encoder.encode(head + text(first.value ?? []))),
      pull: async (controller) => {
        const { value, done = false } = await pages.next()
        if (done || value === undefined) controller.close()
        else controller.enqueue(encoder.encode(text(value)))
      },
      cancel: () => void pages.return(undefined),
    })
    const disposition = `attachment; filename="webhook-deliveries.${format}"`
    const headers = { ...answering.headers, 'Content-Type': type, 'Content-Disposition': disposition }
    return new Response(body, { headers })
  })
}

function ignoreInvalid(error: unknown): undefined {
  if (!isOneOf(error, 'invalid_input')) throw error
}

async function* pagesOf(visitor: Visitor, query: Query): AsyncGenerator<readonly ListedDelivery[], undefined> {
  // A cursor newer than all: what is asked for by cursor is not counted.
  for (let cursor: string | null = '9999999999999999-0'; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof listed>> = await listed(visitor, { ...query, cursor })
    yield page.deliveries
    cursor = page.next_cursor
  }
  return undefined
}

function listed(visitor: Visitor, query: Query) {
  return outputOf(listWebhookDeliveries, visitor, { ...query, per_page: perPage })
}

function lineOf(delivery: ListedDelivery): string {
  const { last_phases } = delivery
  return csvLine([
    ...columns.map((column) => delivery[column]),
    ...phaseMembers.map((member) => last_phases?.[member] ?? null),
  ])
}
