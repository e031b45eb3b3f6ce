import ts from '@typescript/typescript6'
import { type FileRule, lineOf, violation } from './source.ts'

/**
 * What is decided by hand and not from a table. The list only shrinks: what is new is a table with rules beside it, and a file that
 * no longer needs its place here loses it. The timeline is decided by the profiles, which are tables, too.
 */
const byHand: readonly string[] = [
  // Orders: their moves are in a table, but one command may make several of them, with the timeline and the wallet beside.
  'engine/domains/orders/decider.ts',
  // Secrets, and what outlives a mistake with one: each rule is that of a standard, and reads as it does.
  ...['accounts/credential.ts', 'accounts/factors/factors.ts', 'accounts/grants/grant.ts', 'accounts/keys/key.ts'].map(
    at,
  ),
  ...['accounts/session.ts', 'accounts/sign-on/domains.ts', 'accounts/sign-on/setting.ts', 'accounts/apps/app.ts'].map(
    at,
  ),
  ...['accounts/account.ts', 'accounts/business.ts', 'providers/decider.ts', 'carriers/account.ts'].map(at),
  // One stream holds many things, or one thing in parts that move by themselves.
  ...['route-board/decider.ts', 'assignment-rules/rules.ts', 'proof/files.ts', 'third-party-deliveries/rules.ts'].map(
    at,
  ),
  ...['epcis/queries.ts', 'webhooks/settings-decider.ts', 'webhooks/endpoint-decider.ts'].map(at),
  ...['handoffs/subscriptions/decider.ts', 'news/subscription.ts', 'labels/followed.ts'].map(at),
  // Sums, versions and work in chunks: there is no status to move.
  ...['wallets/wallet.ts', 'rates/published.ts', 'exchange-rates/exchange-rate.ts', 'drivers/duty.ts'].map(at),
  ...['batches/decider.ts', 'uniorders/job.ts', 'approvals/decider.ts'].map(at),
]

function at(file: string): string {
  return `engine/domains/${file}`
}

/** What moves is decided from a table, so that one place says how it moves and who may move it. */
export const decidedByTables: FileRule = (source) => {
  const { path, isTest } = source
  if (isTest || !path.startsWith('engine/domains/') || path.startsWith('engine/domains/tracking/')) return []
  const [found] = source.nodes.filter(isDecider)
  const isListed = byHand.includes(path)
  if ((found !== undefined) === isListed) return []
  const sentence = isListed
    ? 'It has no decider by hand any more: take it off the list of conformance/architecture/deciders.ts.'
    : 'A decider by hand: make a table, and write what it cannot say as rules beside it (deciderOf).'
  return [violation(source, 'decider', sentence, found === undefined ? 1 : lineOf(source.ast, found))]
}

/** Whether a node is an object that is declared, or said to be, a decider. */
function isDecider(node: ts.Node): boolean {
  if (ts.isVariableDeclaration(node)) return isObject(node.initializer) && namesDecider(node.type)
  return ts.isSatisfiesExpression(node) && isObject(node.expression) && namesDecider(node.type)
}

function isObject(node: ts.Node | undefined): boolean {
  return node !== undefined && ts.isObjectLiteralExpression(node)
}

function namesDecider(type: ts.Node | undefined): boolean {
  return type !== undefined && ts.isTypeReferenceNode(type) && type.typeName.getText() === 'Decider'
}
