import type { Sender } from '../../node/deliveries.ts'
import type { FetchDocument } from '../../node/documents.ts'

/** Fetches documents with the sender of webhooks, so that both have one guard. No redirect is followed. */
export function createFetchDocument({ send }: Pick<Sender, 'send'>): FetchDocument {
  return async (url) => {
    const headers = { Accept: 'application/json' }
    const outgoing = { method: 'GET', url, headers, body: new Uint8Array(), isAnswerRead: true } as const
    const { status, isResponseCut, responseBody } = await send(outgoing)
    return status === 200 && !isResponseCut ? responseBody : undefined
  }
}
