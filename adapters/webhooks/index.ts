import { EngineError, type Webhooks } from '../../engine/index.ts'

/** The sending side of a node. */
export function createWebhooks(): Webhooks {
  const missing = async (): Promise<never> => {
    throw new EngineError('store_unavailable')
  }
  return {
    admit: missing,
    challenge: missing,
    test: missing,
    page: missing,
    find: missing,
    redeliver: missing,
    retry: missing,
    replay: missing,
  }
}
