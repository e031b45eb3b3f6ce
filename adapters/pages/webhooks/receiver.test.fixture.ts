import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import { startLife } from '../../../engine/index.ts'
import type { World } from '../../auth/world.test.fixture.ts'
import { errorLog } from '../../node/log.ts'

/** The response of a receiver; a test can change it at any time. */
interface Says {
  /** 0 closes the connection without a response. */
  status: number
  body: string | Buffer
  /** Whether it answers with what it is sent, as a URL that is to be subscribed has to. */
  echoes?: boolean
}

/** A receiver on this machine, and the bodies that it has received. */
export async function receiver(t: Test) {
  const says: Says = { status: 200, body: 'thanks' }
  const got: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      got.push(body.toString())
      if (says.status === 0) return request.socket.destroy()
      response.writeHead(says.status, { 'X-Mood': '<b>fine</b>' })
      return response.end(says.echoes ? body : says.body)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { says, got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

/** Runs the webhook dispatcher of a test harness until the test ends. */
export function running(t: Test, { parts, store }: Pick<World, 'parts' | 'store'>): void {
  const ending = new AbortController()
  const run = {
    signal: ending.signal,
    now: () => performance.now(),
    wait: (milliseconds: number, signal: AbortSignal) =>
      setTimeout(milliseconds, undefined, { signal }).catch(() => {}),
  }
  const life = startLife(store.leases, { ...run, name: 'node', failed: () => {} })
  const done = parts.webhooks.run({ ...run, leases: store.leases, life, log: errorLog })
  t.teardown(async () => {
    ending.abort()
    await done
    await parts.webhooks.close()
  })
}

/** Polls for half a minute until a value is found; undefined if it never is. */
export async function until<Found>(look: () => Promise<Found | undefined>): Promise<Found | undefined> {
  for (let tries = 0; tries < 1_500; tries++) {
    const found = await look()
    if (found !== undefined) return found
    await setTimeout(20)
  }
  return undefined
}
