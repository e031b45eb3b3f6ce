import type { Answers, Json } from './kept.ts'
import type { Office } from './office.ts'

/** Paths whose responses are not determined by the history. */
const leftOut: Readonly<Record<string, string>> = {
  '/api/v1/webhook-deliveries': 'the log of deliveries is a database of its own',
  '/api/v1/webhook-deliveries/{delivery_id}': 'the log of deliveries is a database of its own',
  '/api/v1/apps/{appCode}/clients/{clientCode}/bootstrap': 'the history has no app',
  '/api/v1/otep/formats': 'it describes the program',
  '/api/otep-guide/codebook.json': 'it describes the program',
  '/api/otep-guide/schema.json': 'it describes the program',
  '/api/v1/otep/trackings/{tracking_number}/stream': 'it does not end',
  '/api/v1/otep/trackings/{tracking_number}/{format}/{path}':
    'it is a part of a document that follows from the timeline',
  '/id/{kind}/{value}': 'it leads to another path',
}

/** Questions with parameters that lists are narrowed by. */
const narrowed = [
  ...['orders?status=NEW_ORDER', 'orders?status=33&type=D', 'orders?reference=r-1', 'orders?schedule_date=2026-03-02'],
  ...['orders?date_from=2026-03-02&date_to=2026-03-02', 'orders/find?query=angstrom', 'orders/find?query=R-5'],
  ...[
    'orders/find?query=4165550101',
    'orders/find?query=EXT-1',
    'orders/snapshot?order=1',
    'orders/snapshot?order=OWN-1',
  ],
  ...['orders/exceptions?date=2026-03-02', 'addresses/search?postal_code=M5V', 'addresses/search?query=main'],
  ...['analytics/orders-summary?date_from=2026-03-01&date_to=2026-03-04', 'drivers/6/orders?date=2026-03-02'],
  ...['device-orders?overdue=true', 'device-orders?status=stored', 'carrier-packages?status=listed'],
  ...['carrier-packages?package_number=PK-2', 'third-party-deliveries?status=delivered', 'handoffs?status=accepted'],
  ...['partner-lockers/deliveries?status=delivered', 'route-boards?status=closed', 'routes?status=planned'],
  ...['ohp/messages?limit=3', 'webhook-settings?customer_id=5', 'broker-order-assignments?status=active'],
].map((path) => `/api/v1/${path}`)

/** The member of responses with the values of a parameter, if its name differs. */
const memberOf: Readonly<Record<string, string>> = {
  id: 'asyncId',
  rental_id: 'device_order_id',
}

/** Paths that need a query. */
const narrowedOnly = ['/api/v1/orders/find', '/api/v1/orders/snapshot', '/api/v1/addresses/search']

/** Sends all read requests, as everybody who has signed in. */
export async function everyAnswer(office: Office): Promise<Answers> {
  const { paths } = (await office.look('admin', '/openapi.json')).body
  const readable = Object.keys(paths).filter((path) => paths[path].get !== undefined && leftOut[path] === undefined)
  const [single, many] = [readable.filter((path) => path.includes('{')), readable.filter((path) => !path.includes('{'))]
  const whole = many
    .filter((path) => !narrowedOnly.includes(path))
    .map((path) => (isPaged(paths[path].get) ? `${path}?per_page=200` : path))
  const values = new Map<string, Set<string>>()
  for (const answer of office.answered) collect(answer, values)
  const answers: Answers = Object.fromEntries(Object.keys(office.tokens).map((name) => [name, {}]))
  await askAll(office, [...whole, ...narrowed], answers)
  for (const answer of Object.values(answers).flatMap((said) => Object.values(said))) collect(answer, values)
  await askAll(
    office,
    single.flatMap((path) => filled(path, values)),
    answers,
  )
  return answers
}

function isPaged({ parameters = [] }: { readonly parameters?: readonly { readonly name?: string }[] }): boolean {
  return parameters.some(({ name }) => name === 'per_page')
}

async function askAll({ look }: Office, paths: readonly string[], answers: Answers): Promise<void> {
  for (const [name, said] of Object.entries(answers))
    for (const path of paths) {
      const { status, body } = await look(name, path)
      said[path] = status === 200 ? body : { status, code: body.code }
    }
}

/** Notes the values of all members, by their names. */
function collect(found: Json, values: Map<string, Set<string>>): void {
  if (typeof found !== 'object' || found === null) return
  for (const [name, value] of Object.entries(found)) {
    if (typeof value === 'object') collect(value, values)
    else values.set(name, (values.get(name) ?? new Set()).add(String(value)))
  }
}

/** A path with each value of its parameter; fails where no answer has one. */
function filled(path: string, values: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const [, parameter = ''] = /\{(\w+)\}/.exec(path) ?? []
  const known = values.get(memberOf[parameter] ?? parameter)
  if (known === undefined) throw new Error(`The history has nothing for ${path}.`)
  return [...known].map((value) => path.replace(`{${parameter}}`, encodeURIComponent(value)))
}
