import { keyScopes } from '../../../engine/index.ts'
import type { ConnectionTexts } from '../texts/connections.ts'

/** The scopes of one area. */
export interface ScopeFamily {
  readonly name: keyof ConnectionTexts['families']
  readonly read?: string
  readonly write?: string
}

type Parted<Scope> = Scope extends `${infer Family}:${string}` ? Family : never

/** Scopes by area, in the order of all scopes. A scope without a word for its area does not compile. */
export function familiesOf(scopes: readonly string[]): readonly ScopeFamily[] {
  const families = new Map<string, ScopeFamily>()
  for (const scope of keyScopes.filter((one) => scopes.includes(one))) {
    const [name, right] = scope.split(':') as [Parted<typeof scope>, 'read' | 'write']
    families.set(name, { ...families.get(name), name, [right]: scope })
  }
  return [...families.values()]
}
