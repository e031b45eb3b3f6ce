import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import type { RecordedEvent } from '../../../kernel/event.ts'
import type { Append } from '../../../kernel/event-store.ts'
import type { Passkeys } from '../../../kernel/second-factor.ts'
import { isoOf } from '../../../kernel/time.ts'
import { toNewEvent } from '../../../store/to-new-event.ts'
import type { PasskeyTaken } from './events.ts'

/** What checks passkeys, if it is installed and this server has a name: browsers make none for the number of a machine. */
export function passkeysOf({ credentials, baseUrl }: Pick<Context, 'credentials' | 'baseUrl'>): Passkeys | undefined {
  const { hostname } = new URL(baseUrl)
  const isNumber = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  return isNumber ? undefined : credentials.passkeys
}

/** The same. Refuses with `passkeys_unavailable` where there is nothing. */
export function requirePasskeys(context: Pick<Context, 'credentials' | 'baseUrl'>): Passkeys {
  const passkeys = passkeysOf(context)
  if (passkeys === undefined) throw new EngineError('passkeys_unavailable')
  return passkeys
}

/**
 * What keeps a passkey for an account, for good; nothing if it does already. Refuses the passkey of another account as one
 * that is not valid, so that nobody learns that it exists.
 */
export async function keptFor(context: Context, account_id: number, credential: string): Promise<readonly Append[]> {
  const { store, credentials, clock } = context
  const stream = `passkey-${credentials.blind(`passkey\0${credential}`)}` as const
  const [taken] = (await store.read(stream, { limit: 1 })) as readonly RecordedEvent<PasskeyTaken>[]
  if (taken?.data.account_id === account_id) return []
  if (taken !== undefined) throw new EngineError('passkey_not_valid')
  const event: PasskeyTaken = { type: 'PasskeyTaken', data: { at: isoOf(clock()), account_id } }
  return [{ stream, events: [event].map(toNewEvent(context)), expected: 'no-stream' }]
}
