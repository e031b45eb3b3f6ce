import type { Mail, MailMessage } from '../node/mail.ts'

/** A mail server in memory. */
export interface Mailbox {
  readonly mail: Mail
  /** All messages so far. */
  readonly taken: readonly MailMessage[]
  /** The next message, once it is there. */
  next(): Promise<MailMessage>
  /** The address in the next message. */
  nextLink(): Promise<URL>
}

/** Creates a mail server in memory, which refuses nothing. */
export function mailbox(): Mailbox {
  const taken: MailMessage[] = []
  const waiting: ((message: MailMessage) => void)[] = []
  let seen = 0
  const next = () =>
    new Promise<MailMessage>((resolve) => {
      const message = taken[seen++]
      if (message === undefined) waiting.push(resolve)
      else resolve(message)
    })
  return {
    mail: {
      send: async (message) => {
        taken.push(message)
        waiting.shift()?.(message)
        return undefined
      },
      check: async () => 'in memory',
    },
    taken,
    next,
    nextLink: async () => new URL(/^https?:\S+$/m.exec((await next()).text)?.[0] ?? ''),
  }
}
