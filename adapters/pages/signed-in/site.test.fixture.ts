import type { Role } from '../../../engine/index.ts'
import { passwordOf, world } from '../../auth/world.test.fixture.ts'
import type { AppOptions } from '../../main.ts'

/** The response to a request for a page. */
export interface Page {
  readonly status: number
  readonly headers: Headers
  readonly html: string
}

/** Somebody who has signed in. */
export interface Session {
  readonly cookie: string
  /** The session token, which no page may show. */
  readonly token: string
  /** The form token of its pages. */
  readonly form: string
}

/** The fields of a form; a list for repeated fields. */
export type Fields = Readonly<Record<string, string | readonly string[]>>

/** A test harness with its pages, and functions that visit an area and sign in there. */
export async function site(home: string, options: Partial<Omit<AppOptions, 'clock'>> = {}) {
  const made = await world(options)
  const page = async (path: string, init: RequestInit): Promise<Page> => {
    const response = await made.app.request(path, init)
    return { status: response.status, headers: response.headers, html: await response.text() }
  }
  const get = (path: string, cookie = '', headers: Record<string, string> = {}) =>
    page(path, { headers: { cookie, ...headers } })
  const post = (path: string, fields: Fields, cookie = '', headers: Record<string, string> = {}) =>
    page(path, { method: 'POST', headers: { cookie, ...headers }, body: bodyOf(fields) })
  const enter = (email: string, password: string, more: Record<string, string> = {}) =>
    post(`${home}/sign-in`, { email, password, ...more })
  const signIn = async (role: Role, business: 'one' | 'two' = 'one'): Promise<Session> => {
    const { headers } = await enter(`${role}@${business}.example`, passwordOf(role))
    const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';')
    const { html } = await get(home, cookie)
    return { cookie, token: cookie.split('=')[1] ?? '', form: /name="form" value="(\w+)"/.exec(html)?.[1] ?? '' }
  }
  return { ...made, get, post, enter, signIn }
}

function bodyOf(fields: Fields): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, values]) =>
      (typeof values === 'string' ? [values] : values).map((value): [string, string] => [name, value]),
    ),
  )
}
