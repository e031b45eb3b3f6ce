import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { unsealed } from '../../../kernel/sealed-text.ts'
import type { AccountState } from '../account.ts'
import { accountStateOf } from '../read.ts'

const minute = 60_000

/** What a link is for, and for how many milliseconds it is good. */
const validity = {
  password: 30 * minute,
  invitation: 7 * 24 * 60 * minute,
  email_from: 60 * minute,
  email_to: 60 * minute,
} as const

/** What a link is for. */
type Purpose = keyof typeof validity

const contents = v.strictObject({
  purpose: v.picklist(Object.keys(validity) as [Purpose, ...Purpose[]]),
  account: v.number(),
  generation: v.number(),
  until: v.number(),
  email: v.exactOptional(v.string()),
})

/** What a link says. */
type Link = v.InferOutput<typeof contents>

/** The text of a link in a request. */
export const linkText = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(1_000),
  v.description('The text after `link=` of the address in the e-mail.'),
)

/**
 * The secret of a link, which is only in the e-mail: it is sealed by this server and kept nowhere. It is good once, because it
 * names the generation of the account, which each use increments.
 */
export function sealLink(
  { credentials, clock }: Context,
  purpose: Purpose,
  { account_id: account, generation }: AccountState,
  email?: string,
): string {
  const link: Link = { purpose, account, generation, until: clock() + validity[purpose], ...(email && { email }) }
  return credentials.seal(JSON.stringify(link))
}

/** What a link says, and its account. Refuses one that is not of these purposes, has run out or was used: `link_not_valid`. */
export async function openLink(
  context: Context,
  text: string,
  ...purposes: readonly Purpose[]
): Promise<{ readonly link: Link; readonly account: AccountState }> {
  const link = unsealed(context, contents, text)
  if (link === undefined || !purposes.includes(link.purpose)) throw new EngineError('link_not_valid')
  const account = await accountStateOf(context, link.account)
  if (account?.is_active !== true || account.generation !== link.generation) throw new EngineError('link_not_valid')
  // An invitation is for an address: somebody else with the number of its account is not invited.
  if (link.purpose === 'invitation' && link.email !== undefined && link.email !== account.email)
    throw new EngineError('link_not_valid')
  return { link, account }
}
