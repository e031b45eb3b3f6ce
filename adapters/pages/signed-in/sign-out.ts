import { html } from 'hono/html'
import { beginSignOut, isEngineError, signedOutIn } from '../../../engine/index.ts'
import { withLanguage } from './area.ts'
import { messagePage } from './layout.ts'
import { outputOf } from './output.ts'
import type { Visitor } from './session.ts'
import { signInPage } from './sign-in.ts'
import type { Visit } from './visit.ts'

/**
 * The page for somebody whose session has ended, and who is still signed in at the identity provider: a link leads to the
 * sign-out there, which ends the sign-in of other programs, too. Undefined if there is nothing to sign out of, or no way to it.
 */
export async function alsoAtProvider(visit: Visit, visitor: Visitor): Promise<Response | undefined> {
  const { answering, setting } = visit
  const { home } = setting.area
  // The session has ended whatever becomes of this.
  const { provider } = await outputOf(beginSignOut, visitor, { home }).catch((error: unknown) => {
    if (!isEngineError(error)) throw error
    return { provider: undefined }
  })
  if (provider === undefined) return undefined
  const { name, url } = provider
  const { out, stillIn, outThere, again } = setting.signed.signOn
  const more = html`<p><a href="${url}">${outThere({ name })}</a></p>
<p><a href="${withLanguage(home, setting)}">${again}</a></p>`
  return answering.page(200, messagePage({ title: out, lead: stillIn({ name }), more }, setting))
}

/** The page for somebody who comes back from the sign-out at the identity provider; undefined for anybody else. */
export async function signedOutPage(visit: Visit): Promise<Response | undefined> {
  const { request, opened, setting, answering } = visit
  const left = signedOutIn(opened.context, request.req.query('state') ?? '')
  if (left === undefined) return undefined
  const there = { ...visit, setting: { ...setting, area: { ...setting.area, home: left.home } } }
  const text = setting.signed.signOn.outEverywhere({ name: left.name })
  return answering.page(200, await signInPage({ result: { kind: 'good', text } }, there))
}
