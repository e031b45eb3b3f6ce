import { controlMembersOf } from '../../adapters/mcp/control.ts'
import { isForPartners, partner } from '../../adapters/rest/callers.ts'
import {
  keyScopes,
  kindsOf,
  type Operation,
  rolePresets,
  roles,
  scopeBundles,
  scopes,
  scopesOf,
} from '../../engine/index.ts'
import { code, codes, page, table } from './markdown.ts'

/** Callers with scopes that no account has. */
const others: Readonly<Record<string, string>> = {
  'otep:ingest': 'a provider, by its key',
  'otep:erase': 'an operator',
  'providers:write': 'an operator',
  'platform:write': 'an operator',
  'server:read': 'an account that OTEP_SERVER_OPERATORS names',
}

/** Who may call what, over every interface. */
export function accessPage(operations: readonly Operation[]): string {
  const families = new Set(operations.map(familyOf))
  return page(
    'Access',
    [
      'engine/domains/index.ts',
      'engine/kernel/account.ts',
      'engine/kernel/rights.ts',
      'engine/domains/accounts/grants/bundles.ts',
    ],
    [
      `Who may call what. [Accounts and access](../explanation/accounts-and-access.md) explains which orders, lockers and
accounts a caller then sees. An operation requires all of its scopes. *Tool*: agents find it
at \`/mcp\` and \`/mcp/developer\`; *developer tool*: only at \`/mcp/developer\`. With \`confirm\` it is only carried out
if the call confirms it. \`get_capabilities\` is a tool for anybody. *GraphQL*: it is
a field there too. An operator is anybody with access to the data of the server.`,
      ...[...families].flatMap((family) => [
        `## ${family}`,
        table(
          ['operation', 'REST', 'risk', 'scopes', 'who', 'also'],
          operations.filter((one) => familyOf(one) === family).map(rowOf),
        ),
      ]),
      '## Scopes of accounts',
      `The scopes of a token, by the role of its account, and whether an [API key](../how-to/use-api-keys.md) of that account
can have them. No operation requires these yet: ${codes(unusedBy(operations))}.`,
      table(['scope', ...roles.map(code), 'API keys'], scopeRows()),
      '## Presets of staff roles',
      `What a [staff role](../how-to/manage-accounts.md#narrow-what-an-employee-may-do) made of a preset leaves of what a
\`client_employee\` may do. Everybody keeps \`account:self\`.`,
      table(
        ['preset', 'scopes', 'only reads'],
        Object.entries(rolePresets).map(([name, terms]) => [
          code(name),
          codes(terms.scopes),
          'read_only' in terms ? 'yes' : '',
        ]),
      ),
      '## Profiles of agents',
      'What a connection is narrowed to by `X-MCP-Profile`; it never has more than its account.',
      table(
        ['profile', 'scopes'],
        Object.entries(scopeBundles).map(([name, scopes]) => [code(name), scopes === '*' ? 'all' : codes(scopes)]),
      ),
    ],
  )
}

function familyOf({ tag, rest }: Operation): string {
  return rest === undefined ? 'Not over HTTP' : (tag ?? 'OTEP')
}

function rowOf(operation: Operation): readonly string[] {
  const { name, rest, risk, scopes, graphql } = operation
  const also = [...(operation.mcp ? [toolOf(operation)] : []), ...(graphql ? [`GraphQL ${code(graphql.name)}`] : [])]
  return [
    code(name),
    rest === undefined ? '–' : code(`${rest.method} ${rest.path}`),
    risk,
    codes(scopes),
    whoMay(operation),
    also.join(', ') || '–',
  ]
}

function toolOf(operation: Operation): string {
  const tool = operation.mcp?.server === 'developer' ? 'developer tool' : 'tool'
  return 'confirm' in controlMembersOf(operation) ? `${tool}, \`confirm\`` : tool
}

/** Throws if nobody could ever call an operation. */
function whoMay(operation: Operation): string {
  if (operation.scopes.length === 0) return 'anybody'
  const [other] = operation.scopes.flatMap((scope) => others[scope] ?? [])
  const able = kindsOf(operation)
  if (other !== undefined) return other
  const accounts = able.length === roles.length ? 'any account' : codes(able)
  const all = [...(able.length === 0 ? [] : [accounts]), ...(isForPartners(operation) ? [partner] : [])]
  if (all.length === 0) throw new Error(`Nobody has the scopes of ${operation.name}.`)
  return all.join(', ')
}

function unusedBy(operations: readonly Operation[]): readonly string[] {
  const used = new Set(operations.flatMap((one) => one.scopes))
  return scopes.filter((scope) => !used.has(scope))
}

function scopeRows(): readonly (readonly string[])[] {
  return scopes.map((scope) => [
    code(scope),
    ...roles.map((role) => (scopesOf[role].includes(scope) ? 'yes' : '')),
    isForKeys(scope),
  ])
}

function isForKeys(scope: string): string {
  return (keyScopes as readonly string[]).includes(scope) ? 'yes' : ''
}
