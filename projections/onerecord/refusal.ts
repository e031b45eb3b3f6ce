import type { Refused } from '../../engine/index.ts'
import { context } from './project.ts'

/** A refusal as an Error of the standard, which has at least one detail (ONE Record API ontology 2.2). */
export function refusal({ code, message, errors }: Refused): object {
  const details = errors.length > 0 ? errors : [{ code, message }]
  return {
    '@context': context,
    '@type': 'api:Error',
    'api:hasTitle': message,
    'api:hasErrorDetail': details.map((one) => ({
      '@type': 'api:ErrorDetail',
      'api:hasCode': one.code,
      'api:hasMessage': one.message,
    })),
  }
}
