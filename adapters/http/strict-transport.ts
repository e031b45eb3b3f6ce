import type { Next, Context as Request } from 'hono'

/** A year of https only; for servers behind TLS (RFC 6797). */
export const strictTransportHeaders: Readonly<Record<string, string>> = {
  'Strict-Transport-Security': 'max-age=31536000',
}

/** Adds it to every response. */
export async function strictTransport(request: Request, next: Next): Promise<void> {
  await next()
  for (const [name, value] of Object.entries(strictTransportHeaders)) request.res.headers.set(name, value)
}
