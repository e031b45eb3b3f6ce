import * as v from 'valibot'
import { named } from '../../../kernel/named.ts'
import { unpriced } from '../../../kernel/prices.ts'
import { appUser, mailedName, signedInApp } from '../schema.ts'
import { tokenEntries } from '../sign-in.ts'

/** The code of an authenticator app, or a recovery code. */
export const codeInput = v.pipe(
  v.string(),
  v.minLength(6),
  v.maxLength(40),
  v.description('Six digits of an authenticator app, or a recovery code.'),
)

/** What a browser answers for a passkey (WebAuthn, level 3, 5.1), as `toJSON()` of its credential gives it. */
export const passkeyAnswer = named(
  'PasskeyAnswer',
  v.looseObject({ id: v.pipe(v.string(), v.maxLength(1_400)), response: v.looseObject({}) }),
)

/** What a browser answers for a passkey. */
export type PasskeyAnswer = v.InferOutput<typeof passkeyAnswer>

/** Options of `navigator.credentials`, as JSON. */
export const passkeyOptions = named(
  'PasskeyOptions',
  v.objectWithRest({ challenge: v.string() }, unpriced(v.unknown())),
)

/** A sign-in that is complete; in an app, with what the app gets. */
export const signedIn = named(
  'CompletedSignIn',
  v.strictObject({ ...tokenEntries, user: v.exactOptional(appUser), app_context: v.exactOptional(signedInApp) }),
)

/** What is answered when a second factor was added. */
export const addedEntries = {
  result: v.literal(true),
  factor_id: v.number(),
  recovery_codes: v.exactOptional(
    v.pipe(v.array(v.string()), v.description('With the first factor: shown only once. Each is good once.')),
  ),
  session: v.exactOptional(signedIn),
}

/** The name of a second factor. */
export const factorName = v.pipe(mailedName, v.description('To tell it from others, such as the name of the device.'))

/** A second factor as answers show it. */
export const factorRecord = named(
  'SecondFactor',
  v.strictObject({
    factor_id: v.number(),
    kind: v.picklist(['authenticator', 'passkey']),
    name: v.string(),
    added_at: v.pipe(v.string(), v.description('ISO 8601, UTC.')),
    last_used_at: v.exactOptional(v.pipe(v.string(), v.description('ISO 8601, UTC; missing if it never signed in.'))),
  }),
)
