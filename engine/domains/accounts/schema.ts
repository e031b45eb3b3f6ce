import * as v from 'valibot'
import { families, type Module, type Modules, moduleState, moduleStates, modules, roles } from '../../kernel/account.ts'
import { maxCharacters } from '../../kernel/schemas.ts'

/** A user id. */
export const accountId = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.description('User id.'))

/** An email address; ASCII letters are case-insensitive. */
export const email = v.pipe(v.string(), v.maxLength(254), v.email('not_an_email'))

/** A new password. */
export const newPassword = v.pipe(v.string(), v.minLength(8), maxCharacters(200), v.description('8 to 200 characters.'))

/** A password to check. */
export const passwordInput = v.pipe(v.string(), v.minLength(1), maxCharacters(200))

/** A single-line name. */
export const shortName = v.pipe(
  v.string(),
  v.minLength(1),
  maxCharacters(120),
  v.regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, 'control_character'),
)

/** A kind of account. */
export const role = v.picklist(roles)

/** Order families. */
export const familyList = v.pipe(v.array(v.picklist(families)), v.maxLength(families.length))

/** A member for each module. */
function entriesOf<Schema>(schema: Schema): Readonly<Record<Module, Schema>> {
  return Object.fromEntries(modules.map((module) => [module, schema])) as Record<Module, Schema>
}

/** The states of modules in answers. */
export const moduleStatesEntry = v.strictObject(entriesOf(v.exactOptional(v.picklist(moduleStates))))

/** The states that a business may switch modules to. */
export const moduleSwitches = v.strictObject(entriesOf(v.exactOptional(v.picklist(['on', 'off']))))

/** The state of every module. */
export function allModules(known: Modules): Modules {
  return Object.fromEntries(modules.map((module) => [module, moduleState(known, module)]))
}
