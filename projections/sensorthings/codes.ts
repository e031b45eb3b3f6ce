import { keptMappings } from '../shared/codes.ts'
import { segment } from '../shared/subject.ts'
import { joined, type Plain } from '../shared/template/index.ts'

/** The URI of a code, as the protocol addresses it: `otep:parcel:delivered` (OTEP 0.1, section 4). */
export function codeUri(profile: string, code: string): Plain {
  return joined('otep:', segment(profile), ':', segment(code))
}

/** Every code is kept: an Observation's result can be any URI, and the result is the code's URI. */
export const codes = keptMappings(({ name }, code) => `otep:${name}:${code}`)
