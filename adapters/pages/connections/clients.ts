import {
  documentedClient,
  EngineError,
  isDocumentId,
  type OAuthClient,
  registeredClient,
} from '../../../engine/index.ts'
import type { FetchDocument } from '../../node/documents.ts'
import type { OpenRequest } from '../../node/gateway.ts'

/** Milliseconds that fetched metadata are kept, and that a failure is; and of how many clients. */
const bounds = { kept: 600_000, failed: 30_000, most: 500 }

interface Known {
  readonly client: Promise<OAuthClient>
  /** Epoch milliseconds. */
  until: number
}

/** Finds the client of a request by its id; throws `invalid_client`. */
export type FindClient = (opened: OpenRequest, id: string) => Promise<OAuthClient>

/**
 * Finds clients that registered themselves, and those whose id is the address of their metadata, which are fetched, once
 * for all who ask in a while. Fetching counts as a registration.
 */
export function createFindClient(fetchDocument: FetchDocument): FindClient {
  const known = new Map<string, Known>()

  function documented(opened: OpenRequest, id: string): Promise<OAuthClient> {
    const { clock } = opened.context
    const found = known.get(id)
    if (found !== undefined && clock() < found.until) return found.client
    opened.take('registrations')
    const fetched: Known = { client: fetchClient(fetchDocument, id), until: clock() + bounds.kept }
    fetched.client.catch(() => {
      fetched.until = clock() + bounds.failed
    })
    known.delete(id)
    known.set(id, fetched)
    const [oldest] = known.keys()
    if (known.size > bounds.most && oldest !== undefined) known.delete(oldest)
    return fetched.client
  }

  return async (opened, id) => (isDocumentId(id) ? documented(opened, id) : registeredClient(opened.context, id))
}

async function fetchClient(fetchDocument: FetchDocument, id: string): Promise<OAuthClient> {
  const text = await fetchDocument(id)
  return documentedClient(id, documentIn(text ?? ''))
}

function documentIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new EngineError('invalid_client')
  }
}
