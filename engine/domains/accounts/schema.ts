import * as v from 'valibot'
import {
  type Business,
  families,
  type Module,
  type Modules,
  moduleState,
  moduleStates,
  modules,
  roles,
} from '../../kernel/account.ts'
import { labelDpi, labelSize } from '../../kernel/label-request.ts'
import type { Code } from '../../kernel/messages/index.ts'
import { named } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { maxCharacters, refusing } from '../../kernel/schemas.ts'
import { timeWindow } from '../../kernel/time-window.ts'
import { holdsWebAddress } from '../../kernel/web-address.ts'

/** A user id. */
export const accountId = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.description('User id.'))

const shortestPassword = 10

/** A new password. Whether it would be guessed is for `newPasswordHash` to say. */
export const newPassword = v.pipe(
  v.string(),
  v.minLength(shortestPassword, 'password_too_short' satisfies Code),
  // Characters that take two units count once.
  refusing((text) =>
    text.length >= shortestPassword && [...text].length < shortestPassword ? 'password_too_short' : undefined,
  ),
  maxCharacters(200),
  v.metadata({ format: 'password' }),
  v.description('10 to 200 characters, not a common password and not made of the name or address of its owner.'),
)

/** A password to check; older ones may be shorter than new ones. */
export const passwordInput = v.pipe(v.string(), v.minLength(1), maxCharacters(200))

/** A phone number with its country code (E.164). */
export const phone = v.pipe(
  v.string(),
  v.maxLength(16),
  v.regex(/^\+[1-9]\d{6,14}$/, 'not_a_phone_number' satisfies Code),
)

/** A single-line name. */
export const shortName = v.pipe(
  v.string(),
  v.minLength(1),
  maxCharacters(120),
  v.regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, 'control_character'),
)

const lineEndOrDirection = /[\u2028\u2029\u202A-\u202E\u2066-\u2069]/

/** A name that goes into e-mails to people: mail programs make links of addresses, in the name of the server. */
export const mailedName = v.pipe(
  shortName,
  refusing((name) => {
    if (lineEndOrDirection.test(name)) return 'control_character'
    return holdsWebAddress(name) ? 'web_address' : undefined
  }),
)

/** https, or http on this machine for development: keys that anybody on the way can replace prove nothing. */
export const issuer = v.pipe(
  v.string(),
  v.maxLength(300),
  v.regex(/^https?:\/\/[^\s?#]+$/),
  refusing((text) =>
    /^(https:|http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/]|$))/.test(text) ? undefined : 'issuer_not_https',
  ),
  v.description('Exact `iss` of its ID tokens: an https address, or http on this machine.'),
)

const spans = v.exactOptional(v.pipe(v.array(timeWindow), v.maxLength(4)))

/** From when until when a business is open on each day of the week. */
export const openingHours = named(
  'OpeningHours',
  v.strictObject({
    ...{ monday: spans, tuesday: spans, wednesday: spans, thursday: spans, friday: spans },
    ...{ saturday: spans, sunday: spans },
  }),
)

/** The members of a business in answers. */
export const businessEntries = {
  ...{ id: v.number(), name: v.string(), time_zone: v.string() },
  ...{ opening_hours: v.exactOptional(openingHours) },
  ...{ label_size: v.exactOptional(labelSize), label_dpi: v.exactOptional(labelDpi) },
}

/** A business in an answer. */
export function describedBusiness({ id, name, timeZone: time_zone, openingHours, labelSize, labelDpi }: Business) {
  const settings = { opening_hours: openingHours, label_size: labelSize, label_dpi: labelDpi }
  return { id, name, time_zone, ...omitUndefined(settings) }
}

/** A kind of account. */
export const role = v.picklist(roles)

/** Order families. */
export const familyList = v.pipe(v.array(v.picklist(families)), v.maxLength(families.length))

/** A member for each module. */
function entriesOf<Schema>(schema: Schema): Readonly<Record<Module, Schema>> {
  return Object.fromEntries(modules.map((module) => [module, schema])) as Record<Module, Schema>
}

/** The states of modules in answers. */
export const moduleStatesEntry = named(
  'ModuleStates',
  v.strictObject(entriesOf(v.exactOptional(v.picklist(moduleStates)))),
)

/** The states that a business may switch modules to. */
export const moduleSwitches = named(
  'ModuleSwitches',
  v.strictObject(entriesOf(v.exactOptional(v.picklist(['on', 'off'])))),
)

/** The state of every module. */
export function allModules(known: Modules): Modules {
  return Object.fromEntries(modules.map((module) => [module, moduleState(known, module)]))
}

/** Who has signed in to an app. */
export const appUser = named('AppUser', v.strictObject({ id: v.number(), name: v.string(), email: v.string() }))

/** The app and client that somebody has signed in to. */
export const signedInApp = named(
  'SignedInApp',
  v.strictObject({
    app_code: v.string(),
    client_code: v.string(),
    client_name: v.string(),
    configuration_version: v.number(),
  }),
)
