import type { InferOutput } from 'valibot'
import { csvLine, exportOrders, messageOf, printLocalLabel } from '../../../engine/index.ts'
import { attachment } from '../signed-in/attachment.ts'
import { outputOf } from '../signed-in/output.ts'
import { refusalIn } from '../signed-in/refusals.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { idIn, isOneOf, message } from '../signed-in/visit.ts'
import { filterIn, inputOf } from './filter.ts'
import { home, type Visited } from './setting.ts'

/** Sends the labels of an order as a file: up to fifty, from a parcel on. */
export async function downloadLabels(visit: Visited, visitor: Visitor): Promise<Response> {
  const { request, setting, answering } = visit
  const format = request.req.path.endsWith('.zpl') ? 'zpl' : 'pdf'
  const input = { order_id: idIn(request.req.param('id')), format, first_parcel: idIn(request.req.query('from')) ?? 1 }
  try {
    const { label, media_type, label_code } = await outputOf(printLocalLabel, visitor, input)
    const name = label_code.replace(/[^\w.-]/g, '_')
    return attachment(answering, { type: media_type, base64: label, name: `${name}.${format}` })
  } catch (error) {
    const { code, params } = refusalIn(error)
    if (isOneOf(error, 'order_not_found', 'invalid_input')) return message(visit, 404, setting.orders.missing, visitor)
    const lead = messageOf(code, params, visitor.context.messages)
    return message(visit, 409, { title: setting.orders.links.pdf, lead }, visitor)
  }
}

type Rows = InferOutput<typeof exportOrders.output>

/** Streams all orders that fit the filter as CSV, the oldest first. */
export async function exportCsv(visit: Visited, visitor: Visitor): Promise<Response> {
  const { request, setting, answering } = visit
  if (!may(visitor, exportOrders)) return message(visit, 403, { ...setting.orders.forbidden, more: '' }, visitor)
  const address = new URL(request.req.url)
  const { sort: _, tag: __, ...query } = inputOf(filterIn(address.searchParams))
  const pages = pagesOf(visitor, query)
  // The first page is read before the answer begins: the list says what is wrong with a filter.
  const first = await pages.next().catch((error: unknown) => {
    if (!isOneOf(error, 'invalid_input')) throw error
    return undefined
  })
  if (first === undefined) return answering.redirect(`${home}${address.search}`)
  const columns = exportOrders.rest?.csv?.columns ?? []
  const text = (rows: Rows['orders']) =>
    rows.map((row) => csvLine(columns.map((column) => row[column] as string))).join('')
  const encoder = new TextEncoder()
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(`${columns.join(',')}\r\n${text(first.value ?? [])}`)),
    pull: async (controller) => {
      const { value, done = false } = await pages.next()
      if (done || value === undefined) controller.close()
      else controller.enqueue(encoder.encode(text(value)))
    },
    cancel: () => void pages.return(undefined),
  })
  const type = { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': 'attachment; filename="orders.csv"' }
  return new Response(body, { headers: { ...answering.headers, ...type } })
}

async function* pagesOf(visitor: Visitor, query: object): AsyncGenerator<Rows['orders'], undefined> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: Rows = await outputOf(exportOrders, visitor, { ...query, ...(after > 0 && { after }) })
    yield page.orders
    after = page.next_after
  }
  return undefined
}
