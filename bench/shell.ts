import { greetingPath } from './bare.ts'
import { type Child, connections, startChild } from './child.ts'
import type { Case, Prepared, Settings, Topic } from './harness.ts'
import { ownHeaders, requestOf } from './load.ts'

const requestsARound = 10_000

/** The code around a handler: ids, limits, headers, metrics, log. */
export const shell: Topic = {
  name: 'shell',
  summary: 'what stands around a handler (ids, limits, headers, metrics, log), against a bare Hono handler',
  unit: 'request',
  prepare,
}

async function prepare({ scale, progress }: Settings): Promise<Prepared> {
  progress('starting servers')
  const engine = await startChild({ kind: 'greeting', logLevel: 'warn' })
  const logging = await startChild({ kind: 'greeting', logLevel: 'info' })
  const { body, headers } = await answerOf(engine)
  const bare = await startChild({ kind: 'bare greeting', headers })
  if ((await answerOf(bare)).body !== body) throw new Error('The bare handler answers something else.')
  const requests = Array.from({ length: Math.round(requestsARound * scale) }, () => requestOf('GET', greetingPath))
  const running = (server: Child): Pick<Case, 'run'> => ({ run: () => server.measure({ requests, status: 200 }) })
  const cases = [
    { ...running(engine), name: 'engine', reference: 'bare' },
    { ...running(logging), name: 'engine, a line of the log for each request', reference: 'bare' },
    { ...running(bare), name: 'bare' },
  ]
  const note =
    `An operation that answers ${Buffer.byteLength(body)} bytes, and a Hono route that makes a new Response of the same ` +
    `object with the same headers; ${connections} connections from another process. CPU time is that of the server's process alone.`
  const close = async () => void (await Promise.all([engine.stop(), logging.stop(), bare.stop()]))
  return { cases, notes: [note], close }
}

async function answerOf({ port }: Child) {
  const answer = await fetch(`http://127.0.0.1:${port}${greetingPath}`)
  return { body: await answer.text(), headers: ownHeaders(answer.headers) }
}
