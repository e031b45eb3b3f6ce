import type { RecordedEvent } from '../../../kernel/event.ts'
import { deriveId } from '../../../kernel/id.ts'
import type { ReadModel } from '../../../kernel/read-model.ts'
import type { StreamName } from '../../../kernel/stream.ts'
import type { SessionEvent } from '../events.ts'

/** The id of a sign-in, which its sessions share however often they are refreshed; it reveals no token. */
export function signInId(origin: StreamName): string {
  return deriveId(origin)
}

/** The sessions of accounts, without anything personal. Those that have run out are still `open` here. */
export const sessionModel: ReadModel = {
  name: 'sessions',
  version: 3,
  category: 'session',
  columns: {
    session: 'text',
    account_id: 'integer',
    /** Of the account when it began: a session of an earlier generation is over. */
    generation: 'integer',
    sign_in: 'text',
    signed_in_at: 'text',
    expires_at: 'text',
    /** The blinded `sid` of the session at the identity provider by which it began. */
    provider_session: 'text',
    state: 'text',
  },
  key: ['session'],
  indexes: [['account_id', 'state', 'expires_at'], ['provider_session']],
  opens: () => false,
  rows: (event) => {
    const { type, data, stream: session } = event as RecordedEvent<SessionEvent>
    switch (type) {
      case 'SessionStarted': {
        const { account_id, generation, expires_at, origin = session, signed_in_at = data.at, sign_on } = data
        const sign_in = signInId(origin as StreamName)
        const provider_session = sign_on?.session ?? null
        const times = { signed_in_at, expires_at }
        return [{ session, account_id, generation, sign_in, ...times, provider_session, state: 'open' }]
      }
      case 'SessionEnded':
        return [{ session, state: 'ended' }]
      case 'SessionErased':
        return [{ session, state: 'erased' }]
      default:
        return []
    }
  },
}
