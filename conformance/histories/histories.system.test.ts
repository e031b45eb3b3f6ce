import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { recording } from '../../adapters/auth/recording.test.fixture.ts'
import { createApp, createParts } from '../../adapters/main.ts'
import { secretOf } from '../../adapters/node/secret.ts'
import { runPoliciesOnce } from '../../adapters/policies/index.ts'
import { createSqliteStore } from '../../adapters/sqlite/facts/index.ts'
import { projectFile } from '../program/files.ts'
import { type Difference, differencesIn } from './difference.ts'
import { baseUrl, type Json, type Kept, secretKey } from './kept.ts'
import { nextMoves } from './next-moves.ts'

const kept: Kept = JSON.parse(unpacked('answers.json.br').toString())

/** Members of answers that may differ from those of the earlier version, and why. */
const allowed: Readonly<Record<string, string>> = {
  'endpoints[].ed25519': 'endpoints had no ed25519 signatures',
  'endpoints[].in_order': 'endpoints could not be in order yet',
  'endpoints[].public_keys': 'endpoints had no public keys',
  'events[].changes': 'operation events did not say yet what they changed',
  'subscriptions[].headers': 'subscriptions had no headers of their own',
  next_cursor: 'lists of orders were read by pages alone',
  public_keys: 'webhooks had no public keys',
  'settings.endpoint_health_webhook_url': 'nobody was told of the health of URLs',
  'settings.endpoint_health_emails': 'nobody was told by e-mail',
  'settings.disable_failing_after_days': 'no URL was switched off because it failed',
  family: 'orders did not say of which family they are',
  id: 'the id of a thing had only the name of its field',
  '*_at': 'instants were in UTC, and are in the time zone of the business',
}

/** Lists that may be longer than those of the earlier version, by their path, and why. */
const longer: Readonly<Record<string, string>> = {
  '/api/v1/user': 'customers could not buy labels',
  '/api/v1/orders/exceptions': 'failed orders without a day were on no list',
}

t.test(
  'given a history of an earlier version, when everybody reads everything, then the answers are the same',
  async (t) => {
    const { ask } = await openedHistory(t)
    const differences: string[] = []
    const used = new Set<string>()
    for (const [name, answers] of Object.entries(kept.answers))
      for (const [path, was] of Object.entries(answers)) {
        const { status, body } = await ask(name, 'GET', path)
        for (const found of differencesIn(was, status === 200 ? body : { status, code: body.code })) {
          const [list = ''] = path.split('?')
          if (isAllowed(found)) used.add(kindOf(found.path))
          else if (isLonger(found) && longer[list] !== undefined) used.add(list)
          else differences.push(`${name} ${path}: ${JSON.stringify(found)}`)
        }
      }
    t.same(differences.slice(0, 20), [], `${differences.length} members differ`)
    t.same(
      [...used].sort(),
      [...Object.keys(allowed), ...Object.keys(longer)].sort(),
      'no difference is allowed in vain',
    )
  },
)

t.test(
  'given a history of an earlier version, when it continues, then everything open makes its next move',
  async (t) => {
    const { ask, parts } = await openedHistory(t)
    for (const { by, method = 'POST', path, body, answers } of nextMoves(kept))
      t.match(await ask(by, method, path, body), { status: 200, body: answers }, `${by} ${path}`)
    await runPoliciesOnce(parts)
    const { body: order } = await ask('admin', 'GET', `/api/v1/orders/${kept.things.underway}`)
    const { body: timeline } = await ask('admin', 'GET', `/api/v1/otep/trackings/${order.order.tracking_number}`)
    t.match(timeline, { data: { current_status: 'delivered' } }, 'timelines follow from what is written now')
    const before = kept.answers.admin?.['/api/v1/orders?per_page=200'].orders
    const { body: after } = await ask('admin', 'GET', '/api/v1/orders?per_page=200')
    t.equal(after.orders[0].order_id, before[0].order_id + 3, 'ids are counted on')
  },
)

/** New members may only be added; a value that was there stays, but an instant may be given with another offset. */
function isAllowed({ path, was, is }: Difference): boolean {
  if (was === undefined) return allowed[kindOf(path)] !== undefined
  return kindOf(path) === '*_at' && seconds(was) === seconds(is)
}

/** What the differences of a path count as: an id, a family, an instant, or the path itself. */
function kindOf(path: string): string {
  const [name = ''] = path.split('.').slice(-1)
  if (name === 'id' || name === 'family') return name
  return /(^|_)at$/.test(name) ? '*_at' : path
}

/** The second of an instant; each text that is none is another one. */
function seconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000)
}

/** Whether a list has all that it had and more, or its total has grown. */
function isLonger({ was, is }: Difference): boolean {
  if (typeof was === 'number' && typeof is === 'number') return is > was
  if (!Array.isArray(was) || !Array.isArray(is)) return false
  const now = is.map((item) => JSON.stringify(item))
  return is.length > was.length && was.every((item) => now.includes(JSON.stringify(item)))
}

function unpacked(name: string): Buffer {
  return brotliDecompressSync(readFileSync(projectFile('conformance', 'histories', name)))
}

/**
 * The history in its own file, served by this version at the time of the earlier responses; each write takes 20
 * seconds.
 */
async function openedHistory(t: Test) {
  const file = join(t.testdir({}), 'otep.db')
  writeFileSync(file, unpacked('history.db.br'))
  let { now } = kept
  const store = createSqliteStore({ file, clock: () => now })
  t.teardown(() => store.close())
  const options = { store, publicView: 'full' as const, clock: () => now, baseUrl, secret: secretOf(secretKey) }
  const parts = createParts(options)
  const app = recording(createApp({ ...options, parts }))
  const ask = async (name: string, method: string, path: string, body?: object) => {
    if (method !== 'GET') now += 20_000
    const answer = await app.request(path, {
      method,
      headers: { authorization: `Bearer ${kept.tokens[name]}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Json }
  }
  return { parts, ask }
}
