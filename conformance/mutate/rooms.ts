import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isTestPath } from '../architecture/source.ts'

/** A part of the project whose tests are tried by mutants. */
export interface Room {
  readonly name: string
  readonly folder: string
  /** Folders and files in it that hold tables of words or samples. */
  readonly without?: readonly string[]
  /** Other tests, which run where a mutant survives the quick ones of its folder. */
  readonly related: readonly string[]
  /** The score in per cent that the tests promise, as samples have shown it; the others are only reported. */
  readonly goal?: number
}

/** The rooms in the order of the report. */
export const rooms: readonly Room[] = [
  {
    name: 'tracking',
    goal: 84,
    folder: 'engine/domains/tracking',
    without: ['samples.ts'],
    related: [
      ...[
        'engine/domains/tracking/history/history.test.ts',
        'engine/domains/tracking/webhook-events/webhook-events.test.ts',
      ],
      ...[
        'engine/domains/domains.test.ts',
        'engine/domains/insights/insights.test.ts',
        'conformance/requirements.test.ts',
      ],
      'docs/docs.test.ts',
      ...['projections/epcis/epcis.test.ts', 'adapters/pages/track/track.test.ts', 'adapters/rest/rest.test.ts'],
    ],
  },
  {
    name: 'kernel',
    goal: 74,
    folder: 'engine/kernel',
    without: ['messages', 'tracked-codes.ts'],
    related: [
      ...['engine/store/store.test.ts', 'engine/domains/tracking/tracking.test.ts'],
      ...['engine/domains/orders/orders.test.ts', 'engine/domains/accounts/accounts.test.ts'],
      ...['engine/domains/domains.test.ts', 'engine/domains/webhooks/webhooks.test.ts', 'conformance/prices.test.ts'],
      ...['docs/docs.test.ts', 'adapters/rest/rest.test.ts'],
    ],
  },
  {
    name: 'store',
    goal: 92,
    folder: 'engine/store',
    related: [
      ...['conformance/store.test.ts', 'engine/domains/tracking/history/history.test.ts'],
      'engine/domains/approvals/approvals.test.ts',
      ...['engine/domains/orders/orders.test.ts', 'adapters/vault/vault.test.ts', 'adapters/policies/policies.test.ts'],
      ...['adapters/rest/rest.test.ts', 'adapters/sqlite/models/models.test.ts'],
    ],
  },
  {
    name: 'entity',
    goal: 93,
    folder: 'engine/entity',
    related: [
      ...['engine/domains/carrier-packages/carrier-packages.test.ts', 'engine/domains/orders/orders.test.ts'],
      ...['engine/domains/domains.test.ts', 'engine/domains/device-orders/device-orders.test.ts'],
      ...['engine/domains/partner-lockers/partner-lockers.test.ts', 'engine/domains/handoffs/handoffs.test.ts'],
      ...[
        'engine/domains/third-party-deliveries/third-party-deliveries.test.ts',
        'engine/domains/drivers/drivers.test.ts',
      ],
      ...['engine/domains/route-board/route-board.test.ts', 'conformance/prices.test.ts', 'docs/docs.test.ts'],
    ],
  },
  {
    name: 'projections',
    goal: 83,
    folder: 'projections/shared',
    related: [
      'epcis',
      'onerecord',
      'uncefact',
      'sensorthings',
      'otlp',
      'aftership',
      'amazon',
      'shopify',
      'walmart',
    ].map((format) => `projections/${format}/${format}.test.ts`),
  },
  {
    name: 'dispatch',
    goal: 65,
    folder: 'adapters/webhooks/dispatch',
    related: ['adapters/webhooks/webhooks.test.ts', 'adapters/sqlite/deliveries/deliveries.test.ts'],
  },
  {
    name: 'fan-out',
    folder: 'adapters/webhooks/fan-out',
    related: ['adapters/webhooks/webhooks.test.ts', 'adapters/webhooks/replication/replication.test.ts'],
  },
  {
    name: 'orders',
    folder: 'engine/domains/orders',
    related: [
      ...['engine/domains/rates/rates.test.ts', 'engine/domains/domains.test.ts', 'conformance/prices.test.ts'],
      'engine/domains/route-board/route-board.test.ts',
    ],
  },
  {
    name: 'rates',
    folder: 'engine/domains/rates',
    related: ['engine/domains/orders/orders.test.ts', 'conformance/prices.test.ts'],
  },
  {
    name: 'labels',
    folder: 'adapters/labels',
    related: ['conformance/printed-labels.system.test.ts'],
  },
  {
    name: 'mcp',
    folder: 'adapters/mcp',
    related: [
      ...['adapters/mcp/developer/developer.test.ts', 'adapters/mcp/prompts/prompts.test.ts'],
      ...['adapters/mcp/mcp.system.test.ts', 'adapters/mcp/resources/resources.system.test.ts'],
    ],
  },
]

/** The files of a room that are mutated, by their paths from the root; none where the room is not there. */
export function filesOf(root: string, { folder, without = [] }: Room): readonly string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !isTestPath(path))
    .filter((path) => !without.some((part) => path === part || path.startsWith(`${part}/`)))
    .map((path) => join(folder, path))
    .sort()
}

/** The tests that a mutant of a file meets, in this order: those of its own folder and of the folders around it, then the related. */
export function testsOf(root: string, room: Room, file: string): readonly string[] {
  const own: string[] = []
  for (let folder = dirname(file); folder.startsWith(room.folder); folder = dirname(folder))
    own.push(...quickTestsIn(root, folder))
  return [...own, ...room.related.filter((test) => existsSync(join(root, test)))]
}

function quickTestsIn(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder))
    .filter((name) => /^[\w-]+\.test\.ts$/.test(name))
    .map((name) => join(folder, name))
}
