import cluster from 'node:cluster'

/** The other processes of the same server, which `otep serve --workers` starts. */
export interface Peers {
  /** The number of this process among them, from 1. */
  readonly number: number
  /** Tells all others, or the one with this number. What is sent while a process ends is lost. */
  tell(topic: string, content: unknown, to?: number): void
  /** Calls `heard` with what others tell of a topic, and with the number of who told it. */
  hear(topic: string, heard: (content: unknown, from: number) => void): void
  /** Asks all others, and returns the answers that came within so many milliseconds. */
  ask(topic: string, milliseconds: number): Promise<readonly unknown[]>
  /** Answers questions of a topic from now on. */
  answer(topic: string, make: () => Promise<unknown>): void
}

/** What one process sends to others, by way of the one that started them. */
export interface Told {
  readonly topic: string
  readonly content: unknown
  /** The number of the sender; 0 is the process that started all. */
  readonly from: number
  /** The number of the receiver; all others if absent. */
  readonly to?: number | undefined
}

/** Topics between a worker and the process that started it. */
export const topics = { listening: 'listening', joined: 'joined', left: 'left', stop: 'stop' } as const

/** The variable that gives a worker its number. */
export const numberVariable = 'OTEP_WORKER_NUMBER'

/** The peers of this process; undefined if it is the whole server. */
export function peersOf(env: Readonly<Record<string, string | undefined>>): Peers | undefined {
  const number = Number(env[numberVariable])
  return cluster.isWorker && number > 0 ? createPeers(number) : undefined
}

function createPeers(number: number): Peers {
  const listeners = new Map<string, ((content: unknown, from: number) => void)[]>()
  const others = new Set<number>()
  const send = (told: Told) => {
    if (process.connected) process.send?.(told, undefined, undefined, () => {})
  }
  const tell: Peers['tell'] = (topic, content, to) => send({ topic, content, from: number, to })
  const hear: Peers['hear'] = (topic, heard) => {
    listeners.set(topic, [...(listeners.get(topic) ?? []), heard])
  }
  process.on('message', ({ topic, content, from }: Told) => {
    for (const heard of listeners.get(topic) ?? []) heard(content, from)
  })
  hear(topics.joined, (one) => others.add(Number(one)))
  hear(topics.left, (one) => others.delete(Number(one)))
  return { number, tell, hear, ...questions({ tell, hear }, () => others.size) }
}

/** Questions and answers, by `tell` and `hear`. */
function questions({ tell, hear }: Pick<Peers, 'tell' | 'hear'>, others: () => number): Pick<Peers, 'ask' | 'answer'> {
  const makers = new Map<string, () => Promise<unknown>>()
  const asked = new Map<number, (answer: unknown) => void>()
  let last = 0
  hear('question', async (content, from) => {
    const { topic, id } = content as { readonly topic: string; readonly id: number }
    const answer = await makers
      .get(topic)?.()
      .catch(() => undefined)
    tell('answer', { id, answer }, from)
  })
  hear('answer', (content) => {
    const { id, answer } = content as { readonly id: number; readonly answer: unknown }
    asked.get(id)?.(answer)
  })
  return {
    answer: (topic, make) => void makers.set(topic, make),
    ask: async (topic, milliseconds) => {
      const [id, expected] = [++last, others()]
      const answers: unknown[] = []
      let came = 0
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds)
        const end = () => {
          clearTimeout(timer)
          resolve()
        }
        asked.set(id, (answer) => {
          if (answer !== undefined) answers.push(answer)
          if (++came === expected) end()
        })
        if (expected === 0) end()
        else tell('question', { topic, id })
      })
      asked.delete(id)
      return answers
    },
  }
}
