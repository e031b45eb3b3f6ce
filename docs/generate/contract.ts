import { type ContractRow, contract } from '../../conformance/mcp/contract.ts'
import type { Operation } from '../../engine/index.ts'
import { code, codes, page, plain, table } from './markdown.ts'
import type { Passage } from './passage.ts'

/** THE LIST of the operation families of the contract (document 1), and the groups of operations here that belong to each. */
const families: Readonly<Record<string, readonly string[]>> = {
  'Broker Order Assignments': ['Broker Order Assignments'],
  User: ['User'],
  Driver: ['Driver'],
  Client: ['Client', 'Business'],
  Shipping: ['Shipping'],
  AddressBook: ['AddressBook'],
  DriverInfo: [],
  Skills: [],
  ReturnReasons: [],
  LabelService: ['LabelService', 'Uniorder'],
  OCR: [],
  POI: [],
  Dataset: [],
  Alliance: [],
  Tracking: ['Tracking'],
  Customer: ['Customer'],
  ThirdPartyDelivery: ['Third-Party Deliveries', 'Order Handoff'],
  'Warehouse Transfer': [],
  InstantRider: [],
  OTEP: ['OTEP'],
  'Custom Maps': [],
  'Loading Planner': [],
  'Packing Plans': [],
  'Smart Locker': ['Partner Lockers'],
  Webhooks: ['Webhooks'],
  'Warehouse Mobile': [],
  'Platform Apps': ['Platform Apps'],
  Dispatch: ['Dispatch', 'Approvals'],
  'Device Operations': [],
  Reservations: [],
  'Driver Route Board': ['Route Board'],
  'Locker Resale': [],
  'Luggage Relay': [],
  'Locker Storage': [],
  Consolidation: [],
  'Order Chat': [],
  'Operations AI Agent': [],
  'SMS Marketing': [],
  'Device Orders': ['Device Orders'],
  Documents: [],
  Fleets: [],
  'Locker Shop': [],
}

/** What is missing of a family that has operations, and what there is of one that has none. */
const notes: Readonly<Record<string, string>> = {
  Client: 'Building routes (`build_route`) is missing.',
  Shipping: 'Labels of own deliveries only: shipping orders are missing.',
  Customer: 'The wallet and payments only: shipping orders, storage orders and ship-outs are missing.',
  AddressBook: 'Addresses of earlier orders only: there is no geocoder.',
  DriverInfo: 'Drivers and their duty are under Driver.',
  'Locker Storage': 'A stay is a device order of the kind `storage`; `otep_client_locker_storage` has its timeline.',
  Documents: 'Proofs of delivery are under Client, labels and manifests under LabelService.',
}

/** What of the contract is built, in numbers, and the families of which nothing is: for README.md. */
export function contractPassage(operations: readonly Operation[]): Passage {
  const missing = Object.keys(families).filter((family) => operationsOf(family, operations).length === 0)
  const routes = operations.filter(({ rest }) => rest !== undefined)
  return {
    path: 'README.md',
    place: /(?<=^<!-- `npm run docs` writes this from docs\/generate\/contract\.ts -->\n).*?(?=\n<!-- end -->$)/ms,
    text: `${builtOf(operations)} Over REST there are ${routes.length} operations.

Not built: ${missing.join(', ')}.
[The whole list](docs/reference/contract.md) names each tool, and says what the other families lack.`,
  }
}

function builtOf(operations: readonly Operation[]): string {
  const names = Object.keys(families)
  const here = names.filter((family) => operationsOf(family, operations).length > 0)
  const tools = Object.keys(contract)
  const built = tools.filter((name) => isBuilt(name, operations))
  return `The contract of the service names ${names.length} families of operations and ${tools.length} tools for agents.
**${built.length} of the ${tools.length} tools** are built, and operations of **${here.length} of the ${names.length} families**.`
}

/** Whether a tool of the contract is here. `get_capabilities` describes the other tools, and is no operation. */
function isBuilt(tool: string, operations: readonly Operation[]): boolean {
  return tool === 'get_capabilities' || operations.some(({ name, mcp }) => name === tool && mcp !== undefined)
}

/** What of the contract of the service is built: its operation families, and its tools for agents. */
export function contractPage(operations: readonly Operation[]): string {
  return page(
    'What of the contract is built',
    ['docs/generate/contract.ts', 'conformance/mcp/contract.ts', 'engine/domains/index.ts'],
    [
      `${builtOf(operations)} What is not built is refused as an unknown path or tool; nothing answers in its place.`,
      '## Families of operations',
      `The contract names the operations of a family only where they are tools. So no row says that a family is complete; the
last column says what is known to be missing, or where else something of it is.`,
      table(
        ['family', 'operations', 'note'],
        Object.keys(families).map((family) => [
          plain(family),
          operationsCell(operationsOf(family, operations)),
          notes[family] ?? '',
        ]),
      ),
      '## Tools for agents',
      'A tool of high risk is only carried out if the call has `confirm`. [Access](access.md) tells who may call what is built.',
      table(
        ['tool', 'built', 'risk', 'scopes'],
        Object.entries(contract).map(([name, row]) => toolRow(name, row, isBuilt(name, operations))),
      ),
    ],
  )
}

function operationsOf(family: string, operations: readonly Operation[]): readonly Operation[] {
  const groups = families[family] ?? []
  return operations.filter(({ rest, tag = 'OTEP' }) => rest !== undefined && groups.includes(tag))
}

function operationsCell(operations: readonly Operation[]): string {
  return operations.length === 0 ? 'not built' : codes(operations.map(({ name }) => name))
}

function toolRow(name: string, [risk, ...scopes]: ContractRow, isBuilt: boolean): readonly string[] {
  return [code(name), isBuilt ? 'yes' : 'no', risk, scopes.length === 0 ? 'public' : codes(scopes)]
}
