import { isDeferred, type Mail, type MailFailure } from '../node/mail.ts'

/** A mail server, and since when it takes nothing. */
export interface WatchedMail {
  readonly mail: Mail
  /** Nothing if the server has taken the last message. */
  failure(): MailFailure | undefined
}

/** Watches what becomes of messages that are sent. */
export function watchMail(mail: Mail, clock: () => number): WatchedMail {
  let failure: MailFailure | undefined
  const failed = (fault: MailFailure['fault'], error?: unknown) => {
    const { code } = (error ?? {}) as { readonly code?: unknown }
    failure = { since: failure?.since ?? clock(), fault, ...(code !== undefined && { code: String(code) }) }
  }
  return {
    mail: {
      ...mail,
      send: async (message) => {
        try {
          const refused = await mail.send(message)
          if (refused === undefined) failure = undefined
          else failed('address')
          return refused
        } catch (error) {
          failed(isDeferred(error) ? 'message' : 'server', error)
          throw error
        }
      },
    },
    failure: () => failure,
  }
}
