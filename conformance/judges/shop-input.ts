import { rulesJudge, schemaJudge } from './json-schema.ts'
import type { Judged, ReadyJudge } from './judge.ts'
import { shopFactsOf } from './shop.ts'

/** A request as `as=input` gives it. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

/** An operation of a shop’s interface: its method, its path as a regular expression, and the schema of its body. */
interface ShopOperation {
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly body: object
}

/** What is wrong with the requests of one shop beyond their shapes. */
type Rules = (requests: readonly Sent[], judged: Judged) => readonly (string | false)[]

/** The judges of the requests that a shop is sent: by the operations of its published interface, and by what has happened. */
export function inputJudges(
  format: string,
  model: string,
  operations: () => readonly ShopOperation[],
  rules: Rules = () => [],
): readonly ReadyJudge[] {
  return [
    schemaJudge({ name: `requests of ${model}`, format, isInput: true, schema: () => requestsSchema(operations()) }),
    rulesJudge<readonly Sent[]>(
      `requests and the parcel`,
      format,
      (requests, judged) => [
        ...claims(requests, judged),
        new Set(requests.map((request) => JSON.stringify(request))).size < requests.length &&
          'The same request is sent twice.',
        ...rules(requests, judged),
      ],
      { isInput: true },
    ),
  ]
}

/** A shop hears of a parcel only once the carrier has it. */
function claims(requests: readonly Sent[], { timeline, target }: Judged): readonly (string | false)[] {
  const facts = shopFactsOf(timeline)
  const isNamed = target.options.fulfillment !== undefined
  return [
    requests.length > 0 &&
      !isNamed &&
      !facts.mayBeCarried &&
      'Something is sent though no event shows that the carrier had it.',
  ]
}

/** The schema of a list of requests, each for one of these operations. */
function requestsSchema(operations: readonly ShopOperation[]): object {
  return {
    type: 'array',
    items: {
      anyOf: operations.map(({ method, path, body }) => ({
        type: 'object',
        additionalProperties: false,
        required: ['method', 'path', 'body'],
        properties: { method: { const: method }, path: { type: 'string', pattern: `^${path}$` }, body },
      })),
    },
  }
}
