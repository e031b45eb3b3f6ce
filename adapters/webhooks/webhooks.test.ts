import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { world } from '../auth/world.test.fixture.ts'
import { errorLog } from '../log.ts'

interface Got {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

async function receiver(t: Test) {
  const got: Got[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      got.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
      response.end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

t.test('given a URL for created orders, when an order is created, then it is told', async (t) => {
  const { got, url } = await receiver(t)
  const place = await world({ webhooks: { allow: ['127.0.0.0/8'] } })
  const ending = new AbortController()
  const running = place.parts.webhooks.run({
    leases: place.store.leases,
    signal: ending.signal,
    log: errorLog,
    now: () => performance.now(),
    wait: async (ms, signal) => {
      await setTimeout(ms, undefined, { signal }).catch(() => {})
    },
  })
  t.teardown(async () => {
    ending.abort()
    await running
    await place.parts.webhooks.close()
  })
  const token = place.tokens.client_admin
  const set = await place.send('PUT', '/api/v1/webhook-settings', {
    token,
    body: { order_create_webhook_url: url, order_status_change_webhook_url: url },
  })
  t.equal(set.status, 200, JSON.stringify(set.body))
  const made = await place.send('POST', '/api/v1/orders', {
    token,
    body: { type: 'D', items: 1, delivery: { name: 'A', address: { street: 'S 1' } } },
  })
  t.equal(made.status, 200, JSON.stringify(made.body))
  for (let i = 0; i < 100 && got.length === 0; i++) await setTimeout(20)
  t.match(got, [{ headers: {}, body: /order.created/ }])
  t.comment(JSON.stringify(got, null, 1))
  const log = await place.send('GET', '/api/v1/webhook-deliveries', { token })
  t.comment(JSON.stringify(log.body, null, 1))
})
