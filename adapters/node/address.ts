import { isIP } from 'node:net'

/** A server of which nobody has said where it is, and which no proxy with TLS is in front of, is for its own machine. */
export function hostFrom({ HOST, OTEP_BASE_URL }: Readonly<Record<string, string | undefined>>): string | undefined {
  return HOST || (OTEP_BASE_URL ? undefined : 'localhost')
}

/** The number of a port; `name` is that of its setting. */
export function portFrom(name: string, port: string): number {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new Error(`${name} must be a number from 0 to 65535, not ${port}`)
  return Number(port)
}

/** Whether an IP address is one of this machine alone, also where IPv6 has an IPv4 address in it. */
export function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '')
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}
