import * as v from 'valibot'
import { fold } from '../../kernel/decider.ts'
import type { Event, RecordedEvent } from '../../kernel/event.ts'
import {
  deliveredNames,
  type ProofFileRecord,
  proofContextOf,
  proofFileOf,
  proofFileRecord,
} from '../../kernel/proof-file.ts'
import { id, maxCharacters } from '../../kernel/schemas.ts'
import { instantOf, isoOf } from '../../kernel/time.ts'
import type {
  WebhookEvent,
  WebhookEventFacts,
  WebhookEventSource,
  WebhookEventType,
} from '../../kernel/webhook-event.ts'
import type { OrderCreated } from './facts.ts'
import { imageOf, type ProofFile, type ProofState, proofsOf } from './files.ts'
import { linkTimes, linkTo, uploadIn } from './uploads.ts'

const number = v.pipe(v.string(), maxCharacters(100))

/** The `data` of a `pod.files_updated`. */
export const proofData = v.strictObject({
  action: v.pipe(
    v.picklist(['added', 'updated', 'removed']),
    v.description(
      'updated: the file has another image, either a new or an archived one. Archived images are not included.',
    ),
  ),
  order_id: id,
  order_ref: v.pipe(number, v.description("The sender's reference of the order; empty if it has none.")),
  tracking_number: number,
  external_tracking_number: v.nullable(number),
  file: v.pipe(
    proofFileRecord,
    v.description('The file with its current image; for a removed file, with its last one.'),
  ),
})

/** The data of a `pod.files_updated`. */
type ProofData = v.InferOutput<typeof proofData>

const example: ProofData = {
  action: 'updated',
  order_id: 42,
  order_ref: 'PO-1001',
  tracking_number: 'LD00004212345678905',
  external_tracking_number: null,
  file: proofFileOf(
    { id: 4_102_277_112, kind: 'photo', url: 'https://files.example.com/proofs/door.jpg' },
    proofContextOf(deliveredNames, 2_734_018_511),
  ),
}

const filesUpdated = {
  name: 'pod.files_updated',
  channel: 'tenant',
  field: 'pod_files_webhook_url',
  summary: 'A photograph or signature of an order was added, replaced or removed. One webhook event for each file.',
  data: proofData,
  example,
  idMember: 'event_id',
} as const satisfies WebhookEventType<typeof proofData>

/** The types of webhook events about proof files. */
export const proofWebhookEventTypes: readonly WebhookEventType[] = [filesUpdated]

/** Makes webhook events from the events of orders that change files. Events of `provingTypes` may add files. */
export function proofWebhookEventSource(provingTypes: readonly string[]): WebhookEventSource {
  return {
    category: 'order',
    types: [...provingTypes, 'ProofFileAdded', 'ProofFileReplaced', 'ProofFileRestored', 'ProofFileRemoved'],
    webhookEventsOf: async (facts, event) => {
      const order = Number(event.stream.slice('order-'.length))
      const history = await facts.ports.proof.factsUpTo(facts, order, event.revision)
      const [created] = history
      if (created?.type !== 'OrderCreated') return []
      const proofs = proofsOf(facts.profiles)
      const before = fold(
        proofs,
        history.filter(({ revision }) => revision < event.revision),
      )
      const changes = changesOf(before, fold(proofs, history))
      return changes.map((change, index) => webhookEventOf(facts, event as OrderEvent, created, change, index))
    },
  }
}

/** Every event of an order has a time: ISO 8601, UTC. */
type OrderEvent = RecordedEvent<Event<string, { readonly at: string }>>

interface Change {
  readonly action: ProofData['action']
  readonly file: ProofFile
}

/** The changes of the files. Files whose images were erased are left out. */
function changesOf(before: ProofState, after: ProofState): readonly Change[] {
  const known = before?.files ?? []
  const files = after?.files ?? []
  const added = files.filter(({ id }) => known.every((file) => file.id !== id))
  const removed = known.filter(({ id }) => files.every((file) => file.id !== id))
  const updated = files.filter((file) => known.some(({ id, current }) => id === file.id && current !== file.current))
  return [
    ...added.map((file) => ({ action: 'added', file }) as const),
    ...updated.map((file) => ({ action: 'updated', file }) as const),
    ...removed.map((file) => ({ action: 'removed', file }) as const),
  ]
}

function webhookEventOf(
  facts: WebhookEventFacts,
  { id, data: { at } }: OrderEvent,
  { data: created }: OrderCreated,
  { action, file }: Change,
  index: number,
): WebhookEvent {
  const { order_id, business_id: businessId, customer_id: customerId } = created
  const data: ProofData = {
    action,
    order_id,
    order_ref: created.reference ?? '',
    tracking_number: created.tracking_number,
    external_tracking_number: created.external_tracking_number ?? null,
    file: recordOf(facts, file, at),
  }
  return {
    type: filesUpdated.name,
    id: `PFU-${id}-${index}`,
    audience: { kind: 'tenant', businessId, customerId },
    occurredAt: isoOf(instantOf(at)),
    subject: `order/${order_id}`,
    data: () => data,
  }
}

/** A file with its current image. The link to an uploaded one opens it for a while after the event, so it never changes. */
function recordOf(facts: WebhookEventFacts, file: ProofFile, at: string): ProofFileRecord {
  const url = imageOf(file)
  const record = proofFileOf({ id: file.id, kind: file.kind, url }, file.context)
  const name = uploadIn(url)
  return name === undefined ? record : { ...record, ...linkTo(facts, name, instantOf(at) + linkTimes.webhook) }
}
