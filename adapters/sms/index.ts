import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sms, SmsAddress } from '../node/sms.ts'

/** Milliseconds until a service that does not answer is given up. */
const patience = 15_000

/** Opens where text messages go, without asking it anything. */
export function openSms(address: SmsAddress): Sms {
  return address.kind === 'file' ? smsInDirectory(address) : smsByRest(address)
}

/** The interface of Twilio, which other services have too: `POST /2010-04-01/Accounts/{AccountSid}/Messages.json`. */
function smsByRest({ base, account, token, from }: Extract<SmsAddress, { kind: 'rest' }>): Sms {
  const url = `${base}/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`
  const authorization = `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`
  return {
    send: async ({ to, text }) => {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { Authorization: authorization, Accept: 'application/json' },
        body: new URLSearchParams({ To: to, From: from, Body: text }),
        redirect: 'error',
        signal: AbortSignal.timeout(patience),
      }).catch(() => {
        throw new Error('the SMS service does not answer')
      })
      await answer.body?.cancel()
      if (answer.ok) return undefined
      const said = `the SMS service failed with ${answer.status}`
      if (isLasting(answer.status)) return said
      throw new Error(said)
    },
  }
}

/** What the service answers may repeat the number, so only its status goes on. A refused token can be mended. */
function isLasting(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status)
}

function smsInDirectory({ directory, from }: Extract<SmsAddress, { kind: 'file' }>): Sms {
  return {
    send: async ({ to, text }) => {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const file = join(directory, `${Date.now()}-${randomUUID()}.json`)
      await writeFile(`${file}.partial`, `${JSON.stringify({ from, to, text })}\n`, { mode: 0o600 })
      await rename(`${file}.partial`, file)
      return undefined
    },
  }
}
