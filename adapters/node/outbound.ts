/** A request to a server of somebody else. */
interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/** What a server of somebody else answers. */
interface OutboundResponse {
  readonly status: number
  readonly bytes: Uint8Array
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Sends requests to permitted addresses only. */
export interface Outbound {
  /** Rejects when there is no whole answer, or a long one. Redirects are not followed. */
  send(request: OutboundRequest): Promise<OutboundResponse>
  /** Closes all connections. */
  close(): Promise<void>
}
