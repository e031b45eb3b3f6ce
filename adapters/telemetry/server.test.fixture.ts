import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'
import type { Test } from 'tap'

/** A line of the log. */
export type Line = Readonly<Record<string, unknown>>

/** `otep serve` in its own process, and its log so far. */
interface Serving {
  readonly url: string
  readonly child: ChildProcess
  readonly lines: readonly Line[]
  /** Waits for a line of the log. */
  logged(words: string): Promise<Line>
  /** Waits for the end of the process; returns its exit code, or the signal that ended it. */
  readonly ended: Promise<readonly [number | null, NodeJS.Signals | null]>
}

/** Starts the program on a free port of the loopback. */
export async function serve(
  t: Test,
  program: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Serving> {
  const child = spawn(process.execPath, [program, 'serve'], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const lines: Line[] = []
  const waiting = new Set<() => void>()
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(JSON.parse(line) as Line)
    for (const look of waiting) look()
  })
  const logged = (words: string) =>
    new Promise<Line>((resolve) => {
      const look = () => {
        const line = lines.find(({ msg }) => msg === words)
        if (line === undefined) return
        waiting.delete(look)
        resolve(line)
      }
      waiting.add(look)
      look()
    })
  const [said] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const [url = ''] = /http:\S+(?=,)/.exec(said) ?? []
  return { url, child, lines, logged, ended }
}

/** A span as it comes over the wire (OTLP 1.x, JSON). */
export interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: object
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[]
  }[]
}

/** A collector of spans on this machine. */
export async function collect(t: Test) {
  const received: Sent[] = []
  const server = createServer(async (request, response) => {
    received.push((await json(request)) as Sent)
    response.setHeader('Content-Type', 'application/json').end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    spans: () =>
      received.flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
  }
}
