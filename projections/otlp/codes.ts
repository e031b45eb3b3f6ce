import { codeOf, isFailure, isReturn, type Profile, type Projection, perProfile } from '../../engine/index.ts'
import { type Unregistered, unregisteredCodes } from '../shared/codes.ts'

const unregisteredIncidents: Readonly<Record<Unregistered, boolean>> = {
  'x-available_for_pickup': false,
  'x-customs_started': false,
  'x-customs_cleared': false,
  'x-customs_held': true,
  'x-delayed': true,
  'x-damaged': true,
  'x-lost': true,
  'x-disposed': true,
  'x-undeliverable': true,
  'x-returning': true,
  'x-exception': true,
  'x-expired': true,
  'x-*': false,
}

const unregistered: ReadonlyMap<string, boolean> = new Map(Object.entries(unregisteredIncidents))

/**
 * Whether a status is an incident: a failure, a refusal or a return. It makes its span an error (OTLP, `Status.code`).
 */
export function isIncidentCode(profile: Profile, code: string): boolean {
  if (codeOf(profile, code) === undefined) return unregistered.get(code) === true
  return isFailure(profile, code) || isReturn(profile, code)
}

/** The published mappings. Every code is kept, as the name of a span. */
export const codes: Projection['codes'] = perProfile((profile) =>
  Object.fromEntries(
    [...Object.keys(profile.codes), ...Object.keys(unregisteredCodes), 'x-*'].map((code) => [
      code,
      {
        fidelity: '=',
        value: isIncidentCode(profile, code) ? 'span of that name, STATUS_CODE_ERROR' : 'span of that name',
      },
    ]),
  ),
)
