import { spawn } from 'node:child_process'

/** The official suite of the protocol. It needs a newer Node than this project, so npx fetches both. */
const suite = ['-y', '-p', 'node@22', '-p', '@modelcontextprotocol/conformance@0.2.0-alpha.12', 'conformance']

/** How a run of the suite ended, and all that it printed. */
interface Ended {
  readonly code: number | null
  readonly output: string
}

/** Runs a command of the suite. `printed` is called with all that it has printed so far, each time that there is more. */
export function runSuite(words: readonly string[], printed: (output: string) => void = () => {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn('npx', [...suite, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
        printed(output)
      })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })
}
