import type { Context as Request } from 'hono'
import type { Context, Pass } from '../../engine/index.ts'

/** The request header with the postal code of a delivery. Unlike a query, it is in no log of a proxy. */
export const postalCodeHeader = 'X-Postal-Code'

/** The members of a query that open all of a timeline. */
export const passMembers = { postalCode: 'postal_code', link: 'link' } as const

/** Whether a member of a query opens all of a timeline, and is no input of an operation. */
export function isPassMember(name: string): boolean {
  return name === passMembers.postalCode || name === passMembers.link
}

/** Request headers that may change what a public read answers. */
export const viewHeaders = `Authorization, ${postalCodeHeader}`

/** What a request gives to see all of a timeline; undefined if it gives nothing. */
export function passOf({ req }: Request): Pass | undefined {
  const header = req.header(postalCodeHeader)
  const hasQuery = req.url.includes('?')
  if (header === undefined && !hasQuery) return undefined
  const postalCode = header ?? req.query(passMembers.postalCode)
  const link = req.query(passMembers.link)
  if (postalCode === undefined && link === undefined) return undefined
  return { ...(postalCode === undefined ? {} : { postalCode }), ...(link === undefined ? {} : { link }) }
}

/** Whether a context may get another answer than the public. */
export function isPersonal({ caller, pass }: Pick<Context, 'caller' | 'pass'>): boolean {
  return caller.kind !== 'anonymous' || pass !== undefined
}
