import type { Mail, MailMessage } from '../node/mail.ts'
import { written } from './written.ts'

/** A message as it is sent. */
type Sent = Omit<MailMessage, 'text'> & ReturnType<typeof written>

/** A mail server in memory. */
interface Mailbox {
  readonly mail: Mail
  /** All messages so far. */
  readonly taken: readonly Sent[]
  /** The next message, once it is there. */
  next(): Promise<Sent>
  /** The address in the next message. */
  nextLink(): Promise<URL>
}

/** Creates a mail server in memory, which refuses nothing. */
export function mailbox(): Mailbox {
  const taken: Sent[] = []
  const waiting: ((message: Sent) => void)[] = []
  let seen = 0
  const next = () =>
    new Promise<Sent>((resolve) => {
      const message = taken[seen++]
      if (message === undefined) waiting.push(resolve)
      else resolve(message)
    })
  return {
    mail: {
      send: async (message) => {
        const sent = { ...message, ...written(message) }
        taken.push(sent)
        waiting.shift()?.(sent)
        return undefined
      },
      check: async () => 'in memory',
    },
    taken,
    next,
    nextLink: async () => new URL(/^https?:\S+$/m.exec((await next()).text)?.[0] ?? ''),
  }
}
