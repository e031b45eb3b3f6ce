import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { SendMailOptions, Transporter } from 'nodemailer'
import { isLoopback } from '../node/address.ts'
import { type Mail, type MailAddress, type MailMessage, tlsOptional } from '../node/mail.ts'
import { optional } from '../node/optional.ts'
import { checkServer } from './check.ts'
import { refusalIn } from './errors.ts'
import { written } from './written.ts'

/** Milliseconds until a server that does not answer is given up: to connect, to greet, and between two answers. */
const usualPatience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 }

/** What tests choose: which hosts are this machine, and how long a server may take. */
export interface MailOptions {
  readonly isHere?: (host: string) => boolean
  readonly patience?: Partial<typeof usualPatience>
}

/** Opens where e-mail goes, without asking it anything. Its package is an optional peer. */
export async function openMail(
  address: MailAddress,
  { isHere = isThisMachine, patience = usualPatience }: MailOptions = {},
): Promise<Mail> {
  const { createTransport } = await optional('E-mails', 'nodemailer', () => import('nodemailer'))
  if (address.kind === 'file') return mailInDirectory(address, createTransport({ streamTransport: true, buffer: true }))
  const safe = { disableFileAccess: true, disableUrlAccess: true }
  const server = { ...serverOf(address.url, isHere), ...patience }
  return mailByServer(address, server, createTransport({ ...server, ...safe }))
}

function mailByServer(
  { url, from }: Extract<MailAddress, { kind: 'smtp' }>,
  server: ReturnType<typeof serverOf>,
  transport: Transporter,
): Mail {
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
      await checkServer(server, from)
      return `${new URL(url).host} takes e-mails from ${from}`
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
