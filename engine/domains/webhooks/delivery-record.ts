import * as v from 'valibot'
import { named } from '../../kernel/named.ts'
import { isoOf } from '../../kernel/time.ts'
import {
  type AttemptRecord,
  attemptFailures,
  attemptPhases,
  type DeliveryDetail,
  type DeliveryRecord,
  deliveryStates,
  isReused,
  type PhaseTimes,
} from '../../kernel/webhooks.ts'

const milliseconds = v.nullable(v.number())

const phaseTimes = named(
  'AttemptPhases',
  v.pipe(
    v.strictObject({
      queue_ms: v.pipe(milliseconds, v.description('In this server, until it connected or had a connection to use.')),
      dns_ms: v.pipe(milliseconds, v.description('Look-up of the name.')),
      connect_ms: v.pipe(milliseconds, v.description('Until TCP was connected.')),
      tls_ms: v.pipe(milliseconds, v.description('Until both sides had agreed on TLS.')),
      wait_ms: v.pipe(milliseconds, v.description('From the request to the first byte of the answer.')),
      read_ms: v.pipe(milliseconds, v.description('From there to the end of the answer, or of what is read of it.')),
      reused: v.pipe(v.boolean(), v.description('Whether an earlier attempt had opened the connection.')),
    }),
    v.description('Milliseconds in each phase of an attempt; null for phases that there were not.'),
  ),
)

const failedPhase = v.nullable(v.picklist(attemptPhases))

const entries = {
  delivery_id: v.string(),
  owner: v.pipe(v.string(), v.description('Owner of the endpoint, for example business.7.')),
  customer_id: v.pipe(
    v.nullable(v.number()),
    v.description('The customer, if the delivery went to a webhook of a customer.'),
  ),
  endpoint_id: v.string(),
  channel: v.string(),
  field: v.string(),
  url: v.pipe(v.string(), v.description('URL without its query string.')),
  url_name: v.pipe(v.nullable(v.string()), v.description('What the URL is called now.')),
  event: v.string(),
  event_id: v.string(),
  subject: v.pipe(v.string(), v.description('What the event is about, for example order/42.')),
  state: v.picklist(deliveryStates),
  attempts: v.number(),
  created_at: v.string(),
  next_attempt_at: v.nullable(v.string()),
  test: v.boolean(),
  sandbox: v.boolean(),
  redelivery_of: v.pipe(v.nullable(v.string()), v.description('The delivery that this one sends again.')),
  last_status: v.pipe(v.nullable(v.number()), v.description('HTTP status of the last response.')),
  last_failure: v.nullable(v.picklist(attemptFailures)),
  last_failed_phase: v.pipe(failedPhase, v.description('Phase in which the last attempt failed.')),
  last_phases: v.pipe(v.nullable(phaseTimes), v.description('Phases of the last attempt.')),
}

/** A delivery in the list of the log. */
export const deliveryRecord = named('WebhookDelivery', v.strictObject(entries))

const attempt = named(
  'DeliveryAttempt',
  v.strictObject({
    number: v.number(),
    started_at: v.string(),
    duration_ms: v.pipe(v.number(), v.description('Until the status line of the answer, or the failure.')),
    status: v.nullable(v.number()),
    failure: v.nullable(v.picklist(attemptFailures)),
    failed_phase: v.pipe(
      failedPhase,
      v.description('Phase in which it failed; null if it was delivered, or if the status is the failure.'),
    ),
    phases: v.pipe(
      v.nullable(phaseTimes),
      v.description('Where the time went; null for attempts from before this was measured.'),
    ),
    request_headers: v.record(v.string(), v.string()),
    response_headers: v.record(v.string(), v.string()),
    response_body: v.pipe(
      v.string(),
      v.description('Beginning of the response body, at most 16 KiB. It is untrusted text.'),
    ),
    response_cut: v.boolean(),
  }),
)

/** A delivery with its body and its attempts. */
export const deliveryDetail = named(
  'WebhookDeliveryDetail',
  v.strictObject({
    ...entries,
    content_type: v.string(),
    body: v.pipe(v.string(), v.description('The body as sent.')),
    history: v.pipe(v.array(attempt), v.description('The last 100 attempts, oldest first.')),
  }),
)

/** Converts a delivery to `deliveryRecord`. */
export function deliveryOf(delivery: DeliveryRecord): v.InferOutput<typeof deliveryRecord> {
  const { id, owner, customerId, endpointId, channel, field, url, event, eventId, subject, state } = delivery
  const { attempts, createdAt, nextAt, isTest, isSandbox, redeliveryOf } = delivery
  const { lastStatus, lastFailure, lastFailedPhase, lastPhases } = delivery
  return {
    delivery_id: id,
    owner,
    customer_id: customerId ?? null,
    endpoint_id: endpointId,
    channel,
    field,
    url,
    url_name: delivery.urlName ?? null,
    event,
    event_id: eventId,
    subject,
    state,
    attempts,
    created_at: isoOf(createdAt),
    next_attempt_at: nextAt === undefined ? null : isoOf(nextAt),
    test: isTest,
    sandbox: isSandbox,
    redelivery_of: redeliveryOf ?? null,
    last_status: lastStatus ?? null,
    last_failure: lastFailure ?? null,
    last_failed_phase: lastFailedPhase ?? null,
    last_phases: phasesOf(lastPhases),
  }
}

/** Converts a delivery to `deliveryDetail`. */
export function detailOf(delivery: DeliveryDetail): v.InferOutput<typeof deliveryDetail> {
  const { contentType, body, history } = delivery
  return { ...deliveryOf(delivery), content_type: contentType, body, history: history.map(attemptOf) }
}

function attemptOf(record: AttemptRecord): v.InferOutput<typeof attempt> {
  const { number, startedAt, duration, status, failure, failedPhase, phases } = record
  const { requestHeaders, responseHeaders, responseBody, isResponseCut } = record
  return {
    number,
    started_at: isoOf(startedAt),
    duration_ms: duration,
    status: status ?? null,
    failure: failure ?? null,
    failed_phase: failedPhase ?? null,
    phases: phasesOf(phases),
    request_headers: requestHeaders,
    response_headers: responseHeaders,
    response_body: responseBody,
    response_cut: isResponseCut,
  }
}

function phasesOf(times: PhaseTimes | undefined): v.InferOutput<typeof phaseTimes> | null {
  if (times === undefined) return null
  const { queue = null, dns = null, connect = null, tls = null, wait = null, read = null } = times
  const measured = { queue_ms: queue, dns_ms: dns, connect_ms: connect, tls_ms: tls, wait_ms: wait, read_ms: read }
  return { ...measured, reused: isReused(times) }
}
