import * as v from 'valibot'
import { keyScopes } from '../../../kernel/account.ts'
import { named } from '../../../kernel/named.ts'
import { distinct } from '../../../kernel/schemas.ts'
import { shortName } from '../schema.ts'
import { namedOperations } from '../terms.ts'

/** An hour in milliseconds. */
export const hour = 3_600_000

const year = 365 * 24

/** Limits: hours of a key and of an overlap, and keys of an account that are valid at a time. */
export const most = { key: 10 * year, overlap: 30 * 24, keys: 50 }

/** Hours of a key and of an overlap, if nobody says. */
export const usual = { key: year, overlap: 24 }

const hours = (smallest: number, largest: number, about: string) =>
  v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(smallest), v.maxValue(largest), v.description(about)))

const lifetime = (otherwise: string) =>
  hours(1, most.key, `Hours until the key is no longer accepted. Default: ${otherwise}.`)

/** The id of an API key. */
export const keyId = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.description('Id of an API key.'))

/** How long both keys are accepted, and the new one. */
export const renewalEntries = {
  overlap_in_hours: hours(0, most.overlap, 'Hours for which the key before is still accepted. Default: 24.'),
  expires_in_hours: lifetime('as the key before'),
}

/** What a key may do, in inputs and answers. */
export const termEntries = {
  scopes: v.pipe(
    v.array(named('KeyScope', v.picklist(keyScopes))),
    v.minLength(1),
    v.maxLength(keyScopes.length),
    distinct(),
    v.description('What the key may do, within what its account may.'),
  ),
  operations: namedOperations,
  read_only: v.exactOptional(v.pipe(v.literal(true), v.description('It may only call what changes nothing.'))),
}

/** The name and the terms of a new key. */
export const newKeyEntries = {
  name: v.pipe(shortName, v.description('What the key is for.')),
  ...termEntries,
  expires_in_hours: lifetime('a year'),
}
