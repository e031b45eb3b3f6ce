import type { Refused } from '../../engine/index.ts'

/** A refusal as OData has it, on which the standard is built (OData JSON Format 4.0, section 19). */
export function refusal({ code, message, errors }: Refused): object {
  const details = errors.map((error) => ({ code: error.code, message: error.message, target: error.path }))
  return { error: { code, message, ...(details.length > 0 && { details }) } }
}
