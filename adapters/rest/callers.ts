import { kindsOf, type Operation, partnerScopes, roles } from '../../engine/index.ts'

/** Who is bound to one business, and works with it. */
export const partner = 'a provider of the business, by its key'

/** Whether a provider of a business has the scopes of an operation. */
export function isForPartners({ scopes }: Pick<Operation, 'scopes'>): boolean {
  return scopes.length > 0 && scopes.every((scope) => (partnerScopes as readonly string[]).includes(scope))
}

/** Says what credentials a call needs, and which accounts may have them; for operations that not anybody may call. */
export function neededFor(operation: Operation): string {
  const { scopes } = operation
  if (scopes.includes('otep:ingest')) return 'Needs the key of a provider: `Authorization: Bearer <key>`.'
  const able = kindsOf(operation)
  const isPartners = isForPartners(operation)
  if (able.length === 0 && isPartners) return `For ${partner}: \`Authorization: Bearer <key>\`.`
  const accounts = able.length === roles.length ? 'Any account' : `Accounts of the kind ${listed(able)}`
  const who = isPartners ? `${accounts}, and ${partner}` : accounts
  return `${who}, with ${listed(scopes)}: \`Authorization: Bearer <token>\`.`
}

function listed(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ')
}
