import * as v from 'valibot'
import { roles } from '../../../kernel/account.ts'
import { distinct } from '../../../kernel/schemas.ts'
import { issuer, mailedName, shortName } from '../schema.ts'
import { versionPattern } from './version.ts'

/** Version of an app. */
export const version = v.pipe(v.string(), v.maxLength(60), v.regex(versionPattern, 'not_a_version'))

/** Platform of an app. */
export const platform = v.picklist(['ios', 'android'])

/** The input members for an app and a client; an invalid code matches no app. */
export const contextEntries = {
  appCode: v.pipe(v.string(), v.maxLength(120), v.description('Code of the app.')),
  clientCode: v.pipe(v.string(), v.maxLength(120), v.description('Code of the client. It is not a credential.')),
}

/** A code chosen by the operator. */
export const code = v.pipe(v.string(), v.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$/))

/** Possible shortcuts of the home screen. */
const quickActions = ['send', 'return', 'store', 'lockers', 'luggage', 'handover', 'pay', 'wallet'] as const

const word = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,39}$/))

/** Name of an identity provider; `email`, `methods` and `registration` are reserved. */
const providerName = v.pipe(v.string(), v.regex(/^(?!(email|methods|registration)$)[a-z][a-z0-9_-]{0,39}$/))

/** `AppSettings` in the input. */
export const appSettings = v.strictObject({
  name: mailedName,
  type: v.pipe(word, v.description('Purpose of the app in one word, for example consumer or driver.')),
  schema_version: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  roles: v.pipe(v.array(v.picklist(roles)), v.minLength(1), v.maxLength(roles.length)),
  providers: v.pipe(
    v.array(
      v.strictObject({
        name: v.pipe(providerName, v.description('Name in the path of its sign-in, for example google.')),
        issuer,
        audience: v.pipe(v.string(), v.minLength(1), v.maxLength(300), v.description('`aud` of its ID tokens.')),
        requires_nonce: v.exactOptional(
          v.pipe(v.boolean(), v.description('Whether ID tokens without a nonce are refused.')),
        ),
      }),
    ),
    v.maxLength(10),
  ),
  capabilities: v.pipe(v.array(word), v.maxLength(100)),
  versions: v.pipe(
    v.array(v.strictObject({ platform, minimum_version: version, latest_version: version })),
    v.maxLength(2),
  ),
})

/** `ClientSettings` in the input. */
export const clientSettings = v.strictObject({
  display_name: shortName,
  business_id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  methods: v.pipe(v.array(v.pipe(v.string(), v.maxLength(40))), v.maxLength(11)),
  capabilities: v.pipe(v.array(word), v.maxLength(100)),
  quick_actions: v.pipe(
    v.array(v.picklist(quickActions)),
    v.maxLength(quickActions.length),
    distinct(),
    v.metadata({ uniqueItems: true }),
  ),
  default_phone_region: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/), v.description('ISO 3166-1 alpha-2.')),
  registration: v.exactOptional(
    v.pipe(
      v.strictObject({ requires_approval: v.boolean(), phone_verification_required: v.boolean() }),
      v.description('Lets customers register; nobody can if absent.'),
    ),
  ),
})
