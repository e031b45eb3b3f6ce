/** A message by e-mail; its text is a list of lines. */
export interface MailMessage {
  /** The same for a message that is sent again, so that receivers can tell. */
  readonly id: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: readonly string[]
  /** The same as HTML, for programs that show it. */
  readonly html?: string
  /** An address at which a POST ends such messages, without a page in between (RFC 8058). */
  readonly unsubscribe?: string
}

/** Sends e-mail. */
export interface Mail {
  /**
   * Resolves when the server has taken the message for at least one address: to nothing, or, if no address is there, to
   * the code that the server gave. Throws whatever else keeps it from being sent: only what is the fault of an address may
   * change what is known of it. No error names an address.
   */
  send(message: MailMessage): Promise<string | undefined>
  /** Signs in and offers the sender, without sending anything; returns what was found. */
  check(): Promise<string>
}

/** That no message was taken since an instant (epoch milliseconds), and whose fault the last one was. */
export interface MailFailure {
  readonly since: number
  /** The server takes none, not this message, or there is no such address. */
  readonly fault: 'server' | 'message' | 'address'
  /** Of the answer, such as 535, or of the connection, such as ETLS; absent if there is none. */
  readonly code?: string
}

/** Whether an error is of one message: the server did not take it, and may take others. */
export function isDeferred(error: unknown): boolean {
  return error instanceof Error && 'isDeferred' in error && error.isDeferred === true
}

/** Where e-mail goes: to a server, or into a directory. */
export type MailAddress = (
  | { readonly kind: 'smtp'; readonly url: string }
  | { readonly kind: 'file'; readonly directory: string }
) & { readonly from: string }

/** The end of the URL of a server that gets e-mails without TLS where it offers none. */
export const tlsOptional = '?tls=optional'

/**
 * `OTEP_MAIL_URL`: `smtp://USER:PASSWORD@HOST:PORT`, `smtp://HOST:PORT?tls=optional`, `smtps://...`, or `file:DIRECTORY` for development; and `OTEP_MAIL_FROM`, the
 * sender. No e-mail is sent if they are not set. Errors do not repeat the URL, which may contain a password.
 */
export function mailFrom({
  OTEP_MAIL_URL: address,
  OTEP_MAIL_FROM: from,
}: Readonly<Record<string, string | undefined>>): MailAddress | undefined {
  if (!address) return undefined
  if (!from || !/^[^\s@<>]{1,64}@[^\s@<>]{1,190}$/.test(from))
    throw new Error('OTEP_MAIL_URL needs OTEP_MAIL_FROM, an address such as tracking@example.com.')
  if (address.startsWith('file:') && address.length > 5) return { kind: 'file', directory: address.slice(5), from }
  const [server = '', ...parameters] = address.split('?')
  if (!isServerUrl(server))
    throw new Error('OTEP_MAIL_URL must be smtp://USER:PASSWORD@HOST:PORT, smtps:// or file:DIRECTORY.')
  // A password is never sent in the clear.
  if (parameters.length > 0 && !(address === server + tlsOptional && /^smtp:\/\/[^@]+$/.test(server)))
    throw new Error('OTEP_MAIL_URL has no parameter but ?tls=optional, of smtp:// without a user.')
  return { kind: 'smtp', url: address, from }
}

function isServerUrl(address: string): boolean {
  if (!/^smtps?:\/\/[^/?#\s]+$/.test(address) || !URL.canParse(address)) return false
  const { hostname, username, password } = new URL(address)
  return hostname !== '' && !/%(?![0-9a-f]{2})/i.test(username + password)
}
