import type { Context as Request } from 'hono'
import { isSame } from './form.ts'
import type { Visitor } from './session.ts'

/** The query of an address that leads to a page that is to say something; nobody else can make it for this session. */
export function saying(visitor: Visitor, words: readonly [string, ...(string | number)[]]): string {
  const said = words.join(' ')
  return String(new URLSearchParams({ said, seal: sealOf(visitor, said) }))
}

/** What the address asks the page to say, if this session made it: a name, and what belongs to it. */
export function heard({ req }: Request, visitor: Visitor): readonly string[] {
  const said = req.query('said')
  const isOurs = said !== undefined && isSame(req.query('seal') ?? '', sealOf(visitor, said))
  return isOurs ? said.split(' ') : []
}

function sealOf({ context, formToken }: Visitor, said: string): string {
  return context.credentials.blind(`said\0${formToken}\0${said}`).slice(0, 32)
}
