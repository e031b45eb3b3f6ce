import * as v from 'valibot'
import { type Projection, refusingMember, type Target, type Timeline } from '../../engine/index.ts'
import type { Order } from './fold.ts'

/** A request to the interface of a shop; its path begins after the address of the interface. */
export interface ShopRequest<Body = object> {
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly body: Body
}

/** The schema of what a shop is sent: requests with such bodies, in the order in which they are sent. */
export function requestsSchema<Body>(body: v.GenericSchema<Body, Body>) {
  return v.array(v.strictObject({ method: v.picklist(['POST', 'PUT']), path: v.string(), body }))
}

const shopId = v.pipe(v.string(), v.regex(/^[\w-]{1,60}$/))
const number = v.pipe(v.string(), v.regex(/^\d{1,15}$/))

/** What a caller may know of an order in a shop, each under the name of its option. */
export const facts = {
  order: v.pipe(shopId, v.description('The id of the order in the shop.')),
  items: v.pipe(
    v.string(),
    v.maxLength(2000),
    v.regex(/^[\w-]{1,40}:[1-9]\d{0,5}(,[\w-]{1,40}:[1-9]\d{0,5})*$/),
    v.description('The items of the order that are in the parcel, each with its quantity, such as 12:1,13:2.'),
  ),
  shop: v.pipe(shopId, v.description('The id of the shop.')),
  address: v.pipe(number, v.description('The id of the address that the order is sent to.')),
  marketplace: v.pipe(shopId, v.description('The id of the marketplace.')),
  fulfillment_order: v.pipe(number, v.description('The number of the fulfilment order.')),
  fulfillment: v.pipe(number, v.description('The number of the fulfilment, once there is one.')),
} as const

/** Items in a shop whose ids are numbers. */
export const numberedItems = v.pipe(
  v.string(),
  v.maxLength(2000),
  v.regex(/^\d{1,15}:[1-9]\d{0,5}(,\d{1,15}:[1-9]\d{0,5})*$/),
  v.description('The items of the order that are in the parcel, each with its quantity, such as 12:1,13:2.'),
)

/** The name of something that a caller may know of an order in a shop. */
type FactName = keyof typeof facts

/** The options of a shop's format: `as=input`, and with it what the caller knows. */
export function inputOptions(known: { readonly [Name in FactName]?: v.GenericSchema<string, string> }) {
  const entries = Object.entries(known).map(([name, schema]) => [name, v.exactOptional(schema)])
  const options = v.strictObject({
    as: v.exactOptional(
      v.pipe(
        v.picklist(['input']),
        v.description('The requests that the shop is sent; the document that it answers if absent.'),
      ),
    ),
    ...(Object.fromEntries(entries) as Readonly<
      Record<string, v.ExactOptionalSchema<v.GenericSchema<string, string>, undefined>>
    >),
  })
  const isAlone = (given: Target['options']) => given.as !== 'input' && Object.keys(given).length > 0
  return v.pipe(
    options,
    refusingMember<v.InferOutput<typeof options>>((given) =>
      isAlone(given as Target['options']) ? ['as', 'required'] : undefined,
    ),
  ) as unknown as NonNullable<Projection['options']>
}

/** An option, or its name in braces, for the caller to fill in. */
export function given({ options }: Target, name: FactName, placeholder: string): string {
  return options[name] ?? `{${placeholder}}`
}

/** The items of the parcel by their ids; none if the caller does not know them. */
export function itemsGiven({ options }: Target): readonly { readonly id: string; readonly quantity: number }[] {
  const { items = '' } = options
  return items === '' ? [] : items.split(',').map(itemOf)
}

function itemOf(text: string) {
  const [id = '', quantity] = text.split(':')
  return { id, quantity: Number(quantity) }
}

/** Whether the parcel of an order was handed to the carrier. A shop gets nothing before. */
export function isSent({ stage }: Pick<Order<unknown>, 'stage'>): boolean {
  return stage === 'shipped' || stage === 'delivered'
}

type Documents<Doc> = Pick<Projection<Doc>, 'project' | 'steps' | 'write' | 'pieces'>

/** The documents of a shop's format: its answers, and with `as=input` the requests that it is sent. */
export function answersOrInput<Answer, Request extends ShopRequest>(
  answers: Documents<Answer>,
  requests: (timeline: Timeline, target: Target) => Iterable<Request>,
): Required<Documents<Answer | Request[]>> {
  const isInput = ({ options }: Target) => options.as === 'input'
  const input = (timeline: Timeline, target: Target) => [...requests(timeline, target)]
  return {
    project: (timeline, target) => (isInput(target) ? input(timeline, target) : answers.project(timeline, target)),
    *steps(timeline, target) {
      if (isInput(target)) return yield* made(requests(timeline, target))
      return answers.steps === undefined ? answers.project(timeline, target) : yield* answers.steps(timeline, target)
    },
    write: (timeline, target) =>
      isInput(target) ? JSON.stringify(input(timeline, target)) : answers.write(timeline, target),
    pieces: (timeline, target) =>
      isInput(target) ? written(requests(timeline, target)) : answers.pieces(timeline, target),
  }
}

function* made<Request>(requests: Iterable<Request>): Generator<void, Request[]> {
  const all: Request[] = []
  for (const request of requests) {
    all.push(request)
    yield
  }
  return all
}

function* written(requests: Iterable<object>): Generator<string> {
  let before = '['
  for (const request of requests) {
    yield before + JSON.stringify(request)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}
