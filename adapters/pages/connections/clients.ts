import {
  documentedClient,
  EngineError,
  isDocumentId,
  type OAuthClient,
  registeredClient,
} from '../../../engine/index.ts'
import type { FetchDocument } from '../../node/documents.ts'
import type { OpenRequest } from '../../node/gateway.ts'
import { createKeptPromises } from '../../node/kept-promises.ts'

/** Milliseconds that fetched metadata are kept, and that a failure is; and of how many clients. */
const bounds = { kept: 600_000, failed: 30_000, most: 500 }

/** Finds the client of a request by its id; throws `invalid_client`. */
export type FindClient = (opened: OpenRequest, id: string) => Promise<OAuthClient>

/**
 * Finds clients that registered themselves, and those whose id is the address of their metadata, which are fetched, once
 * for all who ask in a while. Fetching counts as a registration.
 */
export function createFindClient(fetchDocument: FetchDocument): FindClient {
  const keep = createKeptPromises<OAuthClient>(bounds)

  function documented({ take }: OpenRequest, id: string): Promise<OAuthClient> {
    return keep(id, () => {
      take('registrations')
      return fetchClient(fetchDocument, id)
    })
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
