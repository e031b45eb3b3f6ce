import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { createKarrio, token } from '../adapters/carriers/karrio/double.test.fixture.ts'
import { program } from './program/files.ts'
import { otep } from './program/otep.ts'
import { type Server, startServer } from './program/server.ts'

const ann = {
  name: 'Ann',
  street: '1 Main Street',
  locality: 'Toronto',
  region: 'ON',
  postal_code: 'M5V1A1',
  country: 'CA',
}
const shipment = { from: ann, to: ann, parcels: [{ weight_grams: 800 }] }

/** What Karrio is asked when the server is killed, and whether Karrio has done it by then. */
const moments = [
  { ended: 'POST /v1/shipments', isDone: false },
  { ended: 'POST /v1/shipments', isDone: true },
  { ended: '/purchase', isDone: true },
] as const

/** How long a new process waits for one that has ended, with some reserve. */
const patience = 60_000

t.test(
  'given purchases at a Karrio, when the server is killed around each, then each label is bought once, and none is lost',
  async (t) => {
    const karrio = await createKarrio(t)
    const directory = t.testdir({})
    const dataDir = join(directory, 'data')
    const place = ['--data-dir', dataDir]
    const business = ['--new-business', 'Acme', '--time-zone', 'America/Toronto', '--currency', 'CAD']
    const password = (
      await otep(['account', 'add', 'ann@acme.example', '--role', 'client_admin', ...business, ...place])
    ).trim()
    const credentials = join(directory, 'karrio.json')
    writeFileSync(credentials, JSON.stringify({ server_url: karrio.url, token }))
    await otep(['carrier', 'add', 'karrio', '--business', '1', '--credentials', credentials, ...place])
    const settings = { OTEP_LIMITS: 'off', OTEP_CARRIER_ALLOW: '127.0.0.0/8' }
    const start = () => startServer(program, dataDir, [], [], settings)
    let server: Server = await start()
    t.teardown(() => server.kill())

    const ask = async (path: string, body: object, headers: object = {}) => {
      const sent = {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', ...headers },
      }
      const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/${path}`, sent)
      return (await answer.json()) as ReturnType<typeof JSON.parse>
    }
    const signIn = async () => {
      const { access_token } = await ask('user/login', { email: 'ann@acme.example', password })
      return { Authorization: `Bearer ${access_token}` }
    }
    const ship = (key: string, headers: object) =>
      ask('labelservice/quoteAndShip', shipment, { ...headers, 'Idempotency-Key': key })

    for (const [round, { ended, isDone }] of moments.entries()) {
      const headers = await signIn()
      const killed = new Promise<void>((resolve) => {
        karrio.fault = ({ method, path }, act) => {
          if (!`${method} ${path}`.endsWith(ended)) return undefined
          karrio.fault = undefined
          if (isDone) act()
          void server.kill().finally(resolve)
          return 'hang'
        }
      })
      await Promise.all([
        killed,
        t.rejects(ship(`round-${round}`, headers), `round ${round}: the purchase was cut off`),
      ])
      server = await start()
    }

    const headers = await signIn()
    const until = Date.now() + patience
    let bought: readonly Readonly<Record<string, unknown>>[] = []
    do {
      bought = await Promise.all(moments.map((_, round) => ship(`round-${round}`, headers)))
      await setTimeout(500)
    } while (bought.some(({ status }) => status !== 'LABEL_PURCHASED') && Date.now() < until)
    t.same(
      bought.map(({ status }) => status),
      moments.map(() => 'LABEL_PURCHASED'),
    )
    const references = bought.map(({ shipment_reference }) => shipment_reference)
    t.same([...references].sort(), [...karrio.sold].sort(), 'Karrio sold these labels and no other')
    t.equal(new Set(references).size, moments.length)
    t.same(karrio.faults, [])
  },
)
