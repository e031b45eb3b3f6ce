import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Finding } from '../../kernel/finding.ts'
import { distinct } from '../../kernel/schemas.ts'

/** What an API key or a staff role leaves of an account. */
interface Terms {
  readonly scopes: readonly string[]
  readonly operations?: readonly string[] | undefined
}

/** The only operations that are left, by name. */
export const namedOperations = v.exactOptional(
  v.pipe(
    v.array(v.pipe(v.string(), v.maxLength(80))),
    v.minLength(1),
    v.maxLength(100),
    distinct(),
    v.description('The only operations that it may call, by name. Default: all of its scopes.'),
  ),
)

/** Refuses scopes that the account lacks, and operations that do not exist: a typo must not look like a right. */
export function requireTerms(context: Context, { scopes, operations = [] }: Terms, own: readonly string[]): void {
  const known = context.ports.accounts.operations
  const findings = [
    ...strangers('scopes', scopes, own, 'scope_not_of_account'),
    ...strangers('operations', operations, known, 'not_an_operation'),
  ]
  if (findings.length > 0) throw new EngineError('invalid_input', { count: findings.length }, findings)
}

function strangers(
  member: string,
  given: readonly string[],
  known: readonly string[],
  code: 'scope_not_of_account' | 'not_an_operation',
): readonly Finding[] {
  return given.flatMap((received, index) =>
    known.includes(received) ? [] : [{ path: `${member}[${index}]`, code, params: { received } }],
  )
}
