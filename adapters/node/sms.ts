/** Sends text messages. */
export interface Sms {
  /**
   * Resolves when the service has taken the message: to nothing, or, if it will never take it, to the code that it gave.
   * Throws what may pass by itself. No error names a number.
   */
  send(message: { readonly to: string; readonly text: string }): Promise<string | undefined>
}

/** Where text messages go: to a service with the REST interface of Twilio, or into a directory. */
export type SmsAddress = (
  | { readonly kind: 'rest'; readonly base: string; readonly account: string; readonly token: string }
  | { readonly kind: 'file'; readonly directory: string }
) & { readonly from: string }

/**
 * `OTEP_SMS_URL`: `https://ACCOUNT_SID:AUTH_TOKEN@api.twilio.com`, or `file:DIRECTORY` for development; and `OTEP_SMS_FROM`,
 * the number or name of the sender. Errors do not repeat the URL, which contains a token.
 */
export function smsFrom({
  OTEP_SMS_URL: address,
  OTEP_SMS_FROM: from,
}: Readonly<Record<string, string | undefined>>): SmsAddress | undefined {
  if (!address) return undefined
  if (!from || !/^[+\w ]{1,34}$/.test(from))
    throw new Error('OTEP_SMS_URL needs OTEP_SMS_FROM, a number such as +14165550100 or the name of a sender.')
  if (address.startsWith('file:') && address.length > 5) return { kind: 'file', directory: address.slice(5), from }
  const url = URL.canParse(address) ? new URL(address) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere(url))
  if (
    url === undefined ||
    !isSafe ||
    !url.username ||
    !url.password ||
    /%(?![0-9a-f]{2})/i.test(url.username + url.password)
  )
    throw new Error('OTEP_SMS_URL must be https://ACCOUNT_SID:AUTH_TOKEN@HOST, or file:DIRECTORY.')
  const [account, token] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  return { kind: 'rest', base: `${url.origin}${url.pathname.replace(/\/+$/, '')}`, account, token, from }
}

function isHere({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}
