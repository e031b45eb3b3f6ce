import type { Context as Request } from 'hono'
import { isSame } from './form.ts'
import type { Visitor } from './session.ts'

/** The query of an address whose page shows a message; it is sealed for this session, so nobody else can make one. */
export function confirmationQuery(visitor: Visitor, words: readonly [string, ...(string | number)[]]): string {
  const said = words.join(' ')
  return String(new URLSearchParams({ said, seal: sealOf(visitor, said) }))
}

/** The message that an address asks for, if this session sealed it: its name, then its parameters. */
export function confirmationIn({ req }: Request, visitor: Visitor): readonly string[] {
  const said = req.query('said')
  const isOurs = said !== undefined && isSame(req.query('seal') ?? '', sealOf(visitor, said))
  return isOurs ? said.split(' ') : []
}

function sealOf({ context, formToken }: Visitor, said: string): string {
  return context.credentials.blind(`said\0${formToken}\0${said}`).slice(0, 32)
}
