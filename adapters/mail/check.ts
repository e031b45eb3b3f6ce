import { domainToASCII } from 'node:url'
import { promisify } from 'node:util'
import type { SMTPConnectionAuth, SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'
import { trouble } from '../node/checks.ts'
import { isWithoutTls, type SmtpError, said } from './errors.ts'

const offer = 'MAIL FROM'

/** Signs in to a server and offers it the sender, without sending anything; throws whose fault it is if it refuses, and what to do. */
export async function checkServer(
  server: SMTPConnectionOptions & { readonly auth?: SMTPConnectionAuth },
  from: string,
): Promise<void> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  let answer = ''
  const connection = new SMTPConnection({
    ...server,
    // The only way to send our own command: as if it were one of a sign-in.
    customAuth: {
      [offer]: async ({ sendCommand }) => {
        answer = (await sendCommand(`${offer}:<${inAscii(from)}>`)).response
      },
    },
  })
  const ended = new Promise<never>((_, reject) => {
    connection.on('error', reject)
    connection.on('end', () => {
      const last = codeIn(connection.lastServerResponse || '')
      reject(Object.assign(new Error(), { code: 'ECONNECTION', ...last }))
    })
  })
  const ask = async () => {
    await promisify(connection.connect).call(connection)
    const login = promisify(connection.login).bind(connection)
    if (server.auth !== undefined && connection.allowsAuth) await login(server.auth)
    await login({ method: offer })
    if (!answer.startsWith('2')) throw Object.assign(new Error(), { command: offer, ...codeIn(answer) })
    connection.quit()
  }
  try {
    await Promise.race([ask(), ended])
  } catch (error) {
    connection.close()
    throw trouble(problemIn(error as SmtpError, from), remedyFor(error as SmtpError))
  }
}

/** The code of an answer that refuses. */
function codeIn(answer: string): Pick<SmtpError, 'responseCode'> {
  return /^[45]\d\d/.test(answer) ? { responseCode: Number(answer.slice(0, 3)) } : {}
}

/** An address as it is written on the way: of the domain, only letters that every server knows. */
function inAscii(address: string): string {
  const at = address.indexOf('@') + 1
  return address.slice(0, at) + domainToASCII(address.slice(at))
}

function problemIn(error: SmtpError, from: string): string {
  return error.command === offer ? `the mail server refuses the sender ${from} with ${error.responseCode}` : said(error)
}

/** THE TABLE of what a server refuses: whose fault it is, and what to do. The first row that fits holds. */
const remedies: readonly (readonly [fits: (error: SmtpError) => boolean, remedy: string])[] = [
  [
    (error) => isWithoutTls(error) || error.code === 'ETLS',
    'The fault is in TLS: the server needs STARTTLS and a certificate that this machine trusts. For a server without TLS, OTEP_MAIL_URL can end in ?tls=optional.',
  ],
  [
    ({ responseCode = 0 }) => responseCode >= 400 && responseCode < 500,
    'The server refuses only for now, and nothing is wrong here: try again in some minutes. If it stays so, ask those who run the server.',
  ],
  [
    ({ responseCode }) => responseCode === 530,
    'The fault is in OTEP_MAIL_URL: the server wants a user and a password, as in smtp://USER:PASSWORD@HOST.',
  ],
  [
    ({ code }) => code === 'EAUTH',
    'The fault is in OTEP_MAIL_URL: the server knows no such user and password. In the URL, write @, : and / in them as %40, %3A and %2F.',
  ],
  [
    ({ command }) => command === offer,
    'The fault is in OTEP_MAIL_FROM: set an address from which the user of OTEP_MAIL_URL may send, or let those who run the server allow this one.',
  ],
  [
    ({ responseCode = 0 }) => responseCode >= 500,
    'The server wants nothing from this machine: ask those who run it to allow its address, or look whether OTEP_MAIL_URL names the right server.',
  ],
]

function remedyFor(error: SmtpError): string {
  const found = remedies.find(([fits]) => fits(error))
  return (
    found?.[1] ??
    'The server is not reached: look at host and port of OTEP_MAIL_URL, at smtp:// or smtps://, at TLS and the network, and at whether the server runs.'
  )
}
