import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Webhooks. */
export const webhookMessages = {
  not_found: {
    delivery_not_found: 'There is no delivery {delivery}.',
    webhook_endpoint_not_found: 'There is no such webhook endpoint.',
    webhook_queue_not_found: 'There is no such queue of webhook events.',
  },
  conflict: {
    delivery_under_way: 'The delivery is not finished yet.',
    delivery_not_retryable: 'Only waiting and dead deliveries can be attempted again.',
    webhook_secret_missing: 'There is no signing secret yet.',
    endpoint_gone: 'The URL of this delivery is no longer set.',
    webhook_is_pulled: 'The events of this queue are read by their receiver; nothing is sent.',
  },
  gone: {
    delivery_erased: 'The content of the delivery was erased, so it cannot be sent again.',
    webhook_cursor_unknown:
      'This cursor is not known any more. Read without a cursor, from the first event that was not acknowledged.',
  },
  invalid: {
    webhook_url_refused: 'Nothing can be sent to this URL: {reason}.',
    webhook_challenge_failed: 'The URL did not echo the challenge.',
  },
  too_often: {
    too_many_sends: 'Too many deliveries were requested. Try again in {seconds} seconds.',
  },
  value: {
    webhook_secret_too_short: 'A signing secret must have at least 16 characters.',
    webhook_secret_too_long: 'A signing secret can have at most 256 characters.',
    webhook_secret_characters: 'A signing secret must not contain control characters, or white space at either end.',
    webhook_secret_not_base64: 'After whsec_, a secret must have 16 to 64 bytes in base64.',
    webhook_urls_too_many: 'At most 5 URLs are allowed.',
    webhook_mail_unavailable: 'This server sends no e-mails.',
    webhook_url_unknown: 'This URL is not set in this field.',
    webhook_event_unknown: 'There is no such event here.',
    webhook_business_only: 'This setting is only for the business itself.',
    webhook_customer_only: 'This setting is only for customers.',
    webhook_filter_invalid:
      'Write conditions such as type in (D, P) and status not in (1), on members of the data that are no prices.',
    webhook_header_refused: 'This header cannot be set: it is no token of HTTP, or the server sets it itself.',
    webhook_header_value: 'A header value has 1 to 1024 printable ASCII characters, and no space at either end.',
    webhook_search_page: 'A search for a text goes on by next_cursor, not by page.',
  },
} as const satisfies Catalogue

/** A code of webhooks. */
export type WebhookCode = CodeOf<typeof webhookMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<WebhookCode, 'webhooks'> {}
}
