import type { Hono } from 'hono'

/** The texts of the code blocks of a page, as a browser shows them. */
function codesIn(html: string): readonly string[] {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" }
  return [...html.matchAll(/<pre tabindex="0"><code>(.*?)<\/code>/gs)].map(([, code = '']) =>
    code.replace(/&(#?\w+);/g, (entity, name: string) => entities[name] ?? entity),
  )
}

/** The request of an example, as its block of a page shows it; the body is sent in one line. */
export function requestIn(block: string): {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
} {
  const [head = '', body = ''] = block.split(/\n\n(?=\{)/)
  const lines = head.split('\n').map((line) => line.split(': ') as [string, string])
  const headers = Object.fromEntries(lines.map(([name, value]) => [name.toLowerCase(), value]))
  return { headers, body: JSON.stringify(JSON.parse(body)) }
}

/** The page of an event, and its code blocks: the examples, then the code in each language, then that of Standard Webhooks. */
export async function eventPageOf(app: Hono, name: string) {
  const response = await app.request(`/webhook-events/${name}`)
  const html = await response.text()
  const [native = '', binary = '', structured = '', standard = '', ...codes] = codesIn(html)
  return { status: response.status, html, examples: { native, binary, structured, standard }, codes }
}
