import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { endpointAt, type HealthFact, healthFactTypes } from './health-events.ts'
import { loadSettings } from './hooks.ts'
import { settingsOwnerOf } from './report-health.ts'
import { shownUrl } from './urls.ts'

/** An e-mail about the health of an endpoint. */
export interface HealthMail {
  readonly to: readonly string[]
  readonly subject: string
  readonly text: readonly string[]
}

/** The events after which `healthMailOf` may have something to send. */
export const healthMailTypes: readonly string[] = healthFactTypes

/** The e-mail about an event of `healthMailTypes`, if its business or customer wants one; `address` is that of the server. */
export async function healthMailOf(
  { store, baseUrl }: Pick<Context, 'store' | 'baseUrl'>,
  event: RecordedEvent,
): Promise<HealthMail | undefined> {
  const fact = event as HealthFact
  const endpoint = await endpointAt(store, fact)
  if (endpoint === undefined) return undefined
  const owner = settingsOwnerOf(endpoint.owner)
  if (owner === undefined) return undefined
  const { values } = await loadSettings(store, owner)
  if (values.endpoint_health_emails.length === 0) return undefined
  const url = shownUrl(endpoint.url)
  return {
    to: values.endpoint_health_emails,
    subject: `${subjects[fact.type]}: ${new URL(url).host}`,
    text: [
      sentenceOf(fact, url),
      '',
      `It is a URL of ${endpoint.field}. Its deliveries: ${baseUrl}/webhooks`,
      '',
      'You get this e-mail because the webhook settings have your address in endpoint_health_emails.',
    ],
  }
}

const subjects: Readonly<Record<HealthFact['type'], string>> = {
  WebhookEndpointFailing: 'Webhooks are not received',
  WebhookEndpointDisabled: 'Webhooks are switched off',
  WebhookEndpointRecovered: 'Webhooks are received again',
}

const sentences: Readonly<Record<HealthFact['type'], (url: string, since: string) => string>> = {
  WebhookEndpointFailing: (url, since) =>
    `${url} has accepted no webhook since ${since}. Each webhook is sent again, until it is accepted or given up.`,
  WebhookEndpointDisabled: (url, since) =>
    `${url} has accepted no webhook since ${since} and was switched off. What is due waits until it is switched on again.`,
  WebhookEndpointRecovered: (url, since) => `${url} accepts webhooks again. It had failed since ${since}.`,
}

function sentenceOf(fact: HealthFact, url: string): string {
  if (fact.type === 'WebhookEndpointDisabled' && fact.data.gone)
    return `${url} answered that it is gone (HTTP status 410) and was switched off, as Standard Webhooks has it. What is due waits until it is switched on again.`
  return `${sentences[fact.type](url, minuteOf(fact.data.since))}${lastAnswer(fact)}`
}

function lastAnswer({ data }: HealthFact): string {
  const { status, failure } = data as { readonly status?: number; readonly failure?: string }
  if (status !== undefined) return ` The last answer had the HTTP status ${status}.`
  return failure === undefined ? '' : ` The last attempt failed: ${failure}.`
}

/** An instant to the minute, such as `2026-06-10 08:00 UTC`. */
function minuteOf(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`
}
