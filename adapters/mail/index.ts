import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { SendMailOptions, Transporter } from 'nodemailer'
import { isLoopback } from '../node/address.ts'
import { type Mail, type MailAddress, type MailMessage, tlsOptional } from '../node/mail.ts'
import { optional } from '../node/optional.ts'
import { written } from './written.ts'

/** Milliseconds until a server that does not answer is given up: to connect, to greet, and between two answers. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 }

/** Opens where e-mail goes, without asking it anything. Its package is an optional peer. */
export async function openMail(address: MailAddress, isHere: typeof isThisMachine = isThisMachine): Promise<Mail> {
  const { createTransport } = await optional('E-mails', 'nodemailer', () => import('nodemailer'))
  if (address.kind === 'file') return mailInDirectory(address, createTransport({ streamTransport: true, buffer: true }))
  const safe = { disableFileAccess: true, disableUrlAccess: true }
  return mailByServer(address, createTransport({ ...serverOf(address.url, isHere), ...patience, ...safe }))
}

function mailByServer({ url, from }: Extract<MailAddress, { kind: 'smtp' }>, transport: Transporter): Mail {
  return {
    send: async (message) => {
      try {
        await transport.sendMail(mailOf(message, from))
        return undefined
      } catch (error) {
        return refusalIn(error)
      }
    },
    check: async () => {
      try {
        await transport.verify()
      } catch (error) {
        throw new Error(said(error))
      }
      return `signed in to ${new URL(url).host}`
    },
  }
}

/**
 * What nodemailer asks for a server. Passwords, and the links in e-mails, which are as good as passwords, go nowhere in the clear
 * but on this machine; a server without TLS gets them only if its URL says so.
 */
export function serverOf(url: string, isHere: typeof isThisMachine = isThisMachine) {
  const { protocol, hostname, port, username, password, search } = new URL(url)
  const secure = protocol === 'smtps:'
  const host = hostname.replace(/^\[|\]$/g, '')
  return {
    ...{ host, secure, port: port === '' ? (secure ? 465 : 587) : Number(port) },
    requireTLS: !secure && !isHere(host) && search !== tlsOptional,
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  }
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || isLoopback(host)
}

function mailInDirectory(
  { directory, from }: Extract<MailAddress, { kind: 'file' }>,
  transport: Transporter<{ readonly message: Buffer | Readable }>,
): Mail {
  return {
    send: async (message) => {
      const { message: text } = await transport.sendMail(mailOf(message, from))
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const file = join(directory, `${Date.now()}-${randomUUID()}.eml`)
      await writeFile(`${file}.partial`, text, { mode: 0o600 })
      await rename(`${file}.partial`, file)
      return undefined
    },
    check: async () => {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      return `e-mails are written to ${directory}`
    },
  }
}

function mailOf({ id, to, subject, text, html, unsubscribe }: MailMessage, from: string): SendMailOptions {
  const domain = from.slice(from.indexOf('@') + 1)
  return {
    ...{
      from,
      to: [...to],
      ...written({ subject, text }),
      ...(html !== undefined && { html }),
    },
    messageId: `<${id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated', ...(unsubscribe !== undefined && oneClick(unsubscribe)) },
  }
}

/** The headers by which a mail program offers to end such messages, with one click (RFC 2369, RFC 8058). */
function oneClick(address: string): Readonly<Record<string, string>> {
  return { 'List-Unsubscribe': `<${address}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

interface SmtpError {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  /** The line of the server. */
  readonly response?: string
}

/** What a server answers may repeat addresses, so only its code goes on. */
function said(error: unknown): string {
  const { code, responseCode } = error as SmtpError
  if (isWithoutTls(error as SmtpError)) return 'the mail server offers no TLS, so that no e-mail is sent to it'
  return `the mail server failed with ${responseCode ?? code ?? 'no code'}`
}

function isWithoutTls({ code, command, responseCode }: SmtpError): boolean {
  return code === 'ETLS' && command === 'STARTTLS' && responseCode !== undefined
}

/** What was found, where an address is not there. Throws what is the fault of the server, of the sender or of the message. */
function refusalIn(error: unknown): string {
  const { code, command, responseCode = 0 } = error as SmtpError
  const isOfAddress = code === 'EENVELOPE' && command === 'RCPT TO'
  if (isOfAddress && isUnknown(error as SmtpError)) return said(error)
  // 421: the server itself is about to close.
  const isDeferred = (isOfAddress || code === 'EMESSAGE') && responseCode >= 400 && responseCode !== 421
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
