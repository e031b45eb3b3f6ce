import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import type { Passkeys } from '../../../kernel/second-factor.ts'

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
