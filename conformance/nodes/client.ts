/** A node, or a proxy before several. */
interface At {
  readonly port: number
}

/** An event as a test sends it. */
export interface Sent {
  readonly event_id: string
  /** The identifiers of its parcel. */
  readonly subject: Readonly<Record<string, string | number>>
  /** What it proves of a delivery. */
  readonly pod?: { readonly recipient: string }
}

/** A timeline as a node returns it. */
interface NodeTimeline {
  readonly subject: Readonly<Record<string, unknown>>
  /** The ids of its events. */
  readonly events: readonly string[]
  /** The recipient of the parcel, from the first event that has one. */
  readonly recipient: string | undefined
}

/** What an ingest answers; `status` 0 where there was no answer. */
interface IngestResult {
  readonly status: number
  readonly accepted?: number
  readonly duplicate?: number
}

const patience = 30_000

/** Sends events in one call to a node. */
export async function send({ port }: At, key: string, events: readonly Sent[]): Promise<IngestResult> {
  const occurred_at = '2026-06-10T08:42:10-04:00'
  const body = events.map((event) => JSON.stringify({ ...event, occurred_at, status_code: 'in_transit' })).join('\n')
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/otep/ingest`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
      body,
      signal: AbortSignal.timeout(patience),
    })
    const { data } = (await response.json()) as { readonly data?: IngestResult }
    return { ...data, status: response.status }
  } catch {
    return { status: 0 }
  }
}

/** Requests a timeline from a node by any identifier; by one that is not public, with a key. */
export async function ask({ port }: At, identifier: string, key?: string): Promise<NodeTimeline> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/otep/trackings/${encodeURIComponent(identifier)}`, {
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(patience),
  })
  const { data } = (await response.json()) as {
    readonly data?: { readonly subject: NodeTimeline['subject']; readonly events: readonly Sent[] }
  }
  const events = data?.events ?? []
  return {
    subject: data?.subject ?? {},
    events: events.map(({ event_id }) => event_id),
    recipient: events.find(({ pod }) => pod !== undefined)?.pod?.recipient,
  }
}

/** The ids of the live events of a timeline at a node, from now on. */
export async function listen({ port }: At, identifier: string): Promise<AsyncGenerator<string>> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/otep/trackings/${identifier}/stream`, {
    signal: AbortSignal.timeout(patience),
  })
  if (response.body === null || response.status !== 200) throw new Error(`The stream answers ${response.status}.`)
  return idsIn(response.body)
}

async function* idsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true })
    const messages = text.split('\n\n')
    text = messages.pop() ?? ''
    for (const message of messages) {
      const [, data] = /^data: (.*)$/m.exec(message) ?? []
      const { event } = JSON.parse(data ?? '{}') as { readonly event?: { readonly event_id: string } }
      if (event !== undefined) yield event.event_id
    }
  }
}
