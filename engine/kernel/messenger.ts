/**
 * A message to one person, in plain text: by e-mail, or by SMS without a subject. Its text is a list of lines, so that nothing
 * that is written into one can begin another: the sender puts each on one line.
 */
export interface Message {
  /** E-mail if absent. */
  readonly by?: 'sms'
  readonly to: string
  readonly subject: string
  readonly text: readonly string[]
}

/** Sends messages to people. */
export interface Messenger {
  /** Whether e-mails can be sent. */
  readonly sendsMail: boolean
  /** Whether text messages can be sent. */
  readonly sendsSms: boolean
  /**
   * Counts a message that somebody without credentials asks for. Throws `too_many_requests` if the source asks too often, or
   * again too soon for the same recipient (a keyed hash); false if the recipient has been sent enough by all sources.
   */
  admit(recipient: string, source: string | undefined): boolean
  /**
   * Makes a message and sends it, in the background: somebody who asks for it can see neither whether there was anything to send
   * nor how long it took. It is tried again a few times, and lost if the process ends before.
   */
  post(make: () => Promise<Message | undefined>): void
}

/** What e-mails say in one language, by their names; `{name}` is a placeholder. Paragraphs are parted by empty lines. */
export type Letters = Readonly<Record<string, { readonly subject: string; readonly text: string }>>
