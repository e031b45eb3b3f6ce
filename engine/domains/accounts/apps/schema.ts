import * as v from 'valibot'
import { roles } from '../../../kernel/account.ts'
import { distinct } from '../../../kernel/schemas.ts'
import { shortName } from '../schema.ts'
import { versionPattern } from './version.ts'

/** A version of an app. */
export const version = v.pipe(v.string(), v.maxLength(60), v.regex(versionPattern, 'not_a_version'))

/** Where an app runs. */
export const platform = v.picklist(['ios', 'android'])

/** The members of an input that name an app and a client; what is not a code is of no app. */
export const contextEntries = {
  appCode: v.pipe(v.string(), v.maxLength(120), v.description('Code of the app.')),
  clientCode: v.pipe(v.string(), v.maxLength(120), v.description('Code of the client; it is no credential.')),
}

/** A code as the operator gives it. */
export const code = v.pipe(v.string(), v.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$/))

/** Shortcuts of the home screen. */
const quickActions = ['send', 'return', 'store', 'lockers', 'luggage', 'handover', 'pay', 'wallet'] as const

const word = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,39}$/))

/** The word of an identity provider; `email`, `methods` and `registration` are others'. */
const providerName = v.pipe(v.string(), v.regex(/^(?!(email|methods|registration)$)[a-z][a-z0-9_-]{0,39}$/))

const url = v.pipe(v.string(), v.maxLength(300), v.regex(/^https?:\/\/[^\s?#]+$/))

/** `AppSettings`, as the operator gives them. */
export const appSettings = v.strictObject({
  name: shortName,
  type: v.pipe(word, v.description('What the app is for, in one word: consumer, driver.')),
  schema_version: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  roles: v.pipe(v.array(v.picklist(roles)), v.minLength(1), v.maxLength(roles.length)),
  providers: v.pipe(
    v.array(
      v.strictObject({
        name: v.pipe(providerName, v.description('The word that stands in the path of its sign-in: google.')),
        issuer: v.pipe(url, v.description('`iss` of its ID tokens, exactly.')),
        audience: v.pipe(v.string(), v.minLength(1), v.maxLength(300), v.description('`aud` of its ID tokens.')),
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

/** `ClientSettings`, as the operator gives them. */
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
})
