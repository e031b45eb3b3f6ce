import { formTexts } from '../texts/forms.ts'
import type { SignedSetting } from './area.ts'
import { confirmationIn } from './confirmation.ts'
import type { Result } from './layout.ts'
import { actionTitle } from './operation-words.ts'
import type { Visitor } from './session.ts'
import type { Visit } from './visit.ts'

/** The message of an action that was just taken, if the address asks for one. */
export function confirmedIn({ request, setting, gateway }: Visit<SignedSetting>, visitor: Visitor): Result | undefined {
  const { lang } = setting.texts
  const [said, name] = confirmationIn(request, visitor)
  const operation = gateway.operations.find((one) => said === 'done' && one.name === name)
  return operation && { kind: 'good', text: formTexts(lang).done({ action: actionTitle(operation, lang) }) }
}
