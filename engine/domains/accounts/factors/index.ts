import type { Domain } from '../../../entity/domain.ts'
import { factorEventShapes, passkeyEventShapes } from './events.ts'
import { factorMessages } from './messages.ts'
import {
  beginAuthenticator,
  beginPasskey,
  confirmAuthenticator,
  confirmPasskey,
  listFactors,
  removeFactor,
  renewRecoveryCodes,
} from './own.ts'
import { clearFactors, getFactorRule, removeFactorsOf, setFactorRule } from './rule.ts'

export type { FactorCode } from './messages.ts'
export {
  beginAuthenticator,
  beginPasskey,
  confirmAuthenticator,
  confirmPasskey,
  listFactors,
  removeFactor,
  renewRecoveryCodes,
} from './own.ts'
export { passkeysOf } from './passkeys.ts'
export { clearFactors, getFactorRule, removeFactorsOf, setFactorRule } from './rule.ts'

/** Second factors. */
export const factorsDomain: Domain = {
  name: 'factors',
  messages: [factorMessages],
  events: { factors: factorEventShapes, passkey: passkeyEventShapes },
  operations: [
    listFactors,
    beginAuthenticator,
    confirmAuthenticator,
    beginPasskey,
    confirmPasskey,
    removeFactor,
    renewRecoveryCodes,
    removeFactorsOf,
    getFactorRule,
    setFactorRule,
    clearFactors,
  ],
  erasures: ['FactorsErased'],
  audited: { SecondFactorTurnedOn: 'second_factor_on', SecondFactorTurnedOff: 'second_factor_off' },
}
