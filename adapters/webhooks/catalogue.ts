import { type BodyFormat, bodyFormats, isObject, type WebhookEventType } from '../../engine/index.ts'
import type { DueDelivery } from '../node/deliveries.ts'
import type {
  DeliveryHeader,
  EventDescription,
  ExampleForm,
  ExampleRequest,
  WebhookCatalogue,
} from '../node/webhook-catalogue.ts'
import { headersOf, recipeOf } from './asyncapi/headers.ts'
import { exampleOf } from './asyncapi/index.ts'
import { requestOf, structuredBody } from './signing/index.ts'

const secret = 'an example secret, known to all'

const eventId = 'evt_0d3b6a526d0e4d1c8f521f0f3f3c2a11'

/** The catalogue of these events for those who write receivers. */
export function createCatalogue(eventTypes: readonly WebhookEventType[], version: string): WebhookCatalogue {
  return { eventTypes, describe: (eventType, baseUrl) => describe(eventType, { version, baseUrl }) }
}

interface Sender {
  readonly version: string
  readonly baseUrl: string
}

function describe(eventType: WebhookEventType, sender: Sender): EventDescription {
  const recipe = recipeOf[eventType.channel]
  const example = exampleOf(eventType)
  const at = Date.parse(String(example.occurred_at))
  const request = (form: ExampleForm, format: BodyFormat): ExampleRequest => {
    const delivery = deliveryOf(eventType, example, { format, standard: form === 'standard' }, sender)
    const { headers, body } = requestOf({ ...sender, delivery, keys: [{ secret }], now: at, seedOf: () => '' })
    return { form, headers, body: Buffer.from(body).toString() }
  }
  const requests = [...bodyFormats.map((format) => request(format, format)), request('standard', 'native')]
  return { recipe, secret, signedAt: at / 1_000, requests, headers: deliveryHeaders(eventType) }
}

/** The first attempt of an example. */
function deliveryOf(
  { name, channel, idMember }: WebhookEventType,
  example: ReturnType<typeof exampleOf>,
  manner: Pick<DueDelivery, 'format' | 'standard'>,
  { baseUrl }: Sender,
): DueDelivery {
  const { data, occurred_at, business_id } = example
  const order = isObject(data) ? data.order_id : undefined
  const envelope = {
    ...{ event: name, eventId: idMember === undefined ? eventId : String(example[idMember]) },
    ...{ subject: typeof order === 'number' ? `order/${order}` : 'example/1', occurredAt: String(occurred_at) },
    ...{ businessId: Number(business_id), isTest: false, isSandbox: false, sequence: '0000000000000042' },
  }
  const native = Buffer.from(JSON.stringify(example))
  return {
    ...envelope,
    ...manner,
    ...{ id: 'dlv_9f8e7d6c5b4a39281706f5e4d3c2b1a0', owner: 'business.1', endpointId: 'example', channel },
    ...{ url: 'https://receiver.example/', isInOrder: false, attempts: 0, attemptNumber: 1 },
    body: manner.format === 'ce_structured' ? structuredBody(envelope, native, baseUrl) : native,
  }
}

function deliveryHeaders({ channel }: WebhookEventType): readonly DeliveryHeader[] {
  const { properties } = headersOf(recipeOf[channel], true)
  const always = headersOf(recipeOf[channel], false).required as readonly string[]
  return Object.entries(properties as Readonly<Record<string, { readonly description?: string }>>).map(
    ([name, { description }]) => ({ name, description, isAlways: always.includes(name) }),
  )
}
