/** How nodemailer tells what went wrong, and at which command. */
export interface SmtpError {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  /** The line of the server. */
  readonly response?: string
}

/** What a server answers may repeat addresses, so only its code goes on. */
export function said(error: unknown): string {
  const { code, responseCode } = error as SmtpError
  if (isWithoutTls(error as SmtpError)) return 'the mail server offers no TLS, so that no e-mail is sent to it'
  return `the mail server failed with ${responseCode ?? code ?? 'no code'}`
}

export function isWithoutTls({ code, command, responseCode }: SmtpError): boolean {
  return code === 'ETLS' && command === 'STARTTLS' && responseCode !== undefined
}

/** What was found, where an address is not there. Throws what is the fault of the server, of the sender or of the message. */
export function refusalIn(error: unknown): string {
  const { code, command, responseCode = 0 } = error as SmtpError
  const isOfAddress = code === 'EENVELOPE' && command === 'RCPT TO'
  if (isOfAddress && isUnknown(error as SmtpError)) return said(error)
  // 421: the server itself is about to close.
  const isOfMessage = isOfAddress || code === 'EMESSAGE' || (code === 'EENVELOPE' && command === 'DATA')
  const isDeferred = isOfMessage && responseCode >= 400 && responseCode !== 421
  throw Object.assign(new Error(said(error)), {
    code: isWithoutTls(error as SmtpError) ? code : responseCode || code,
    isDeferred,
  })
}

/**
 * Whether an answer to an address says that there is no such mailbox, for good: codes of 500 and above are lasting (RFC 5321,
 * 4.2.1). Where the server gives an enhanced code, that decides (RFC 3463): X.1 is about the address but for the two of the
 * sender's, X.2 about the mailbox but for a full one, and all others are about the way there or its rules.
 */
function isUnknown({ response = '', responseCode = 0 }: SmtpError): boolean {
  const [, enhanced] = /^\d{3}[ -]5\.(\d{1,3}\.\d{1,3})\b/.exec(response) ?? []
  if (enhanced === undefined) return [550, 551, 553].includes(responseCode)
  return responseCode >= 500 && /^[12]\./.test(enhanced) && !['1.7', '1.8', '2.2'].includes(enhanced)
}
