import type { Call } from './calls.ts'
import type { Answer, Client } from './client.ts'

/** What came of sending calls: the answers, and the calls that got none. */
interface Pushed {
  readonly answers: ReadonlyMap<Call, Answer>
  readonly unanswered: readonly Call[]
}

/** Sends calls over several connections at once, until all have a response or the first fails. */
export async function push(
  client: Client,
  calls: readonly Call[],
  lanes: number,
  answered: (call: Call) => void,
): Promise<Pushed> {
  const waiting = [...calls]
  const answers = new Map<Call, Answer>()
  const unanswered: Call[] = []
  async function lane() {
    for (let call = waiting.shift(); call !== undefined && unanswered.length === 0; call = waiting.shift()) {
      const answer = await client.ingest(call).catch(() => undefined)
      if (answer === undefined) unanswered.push(call)
      else answers.set(call, answer)
      if (answer !== undefined) answered(call)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return { answers, unanswered }
}
